// title: a function does not
// expect: js-error:TypeError
// also: message a.b[1]
return { a: { b: [1, () => 1] } };
