// title: a promise, thrown
// expect: js-error:any
throw Promise.resolve(1);
