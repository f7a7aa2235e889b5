// title: a very long message is bounded, a success it is not
// expect: js-error:Error
throw new Error("x".repeat(3000000));
