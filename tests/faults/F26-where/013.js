// title: an error thrown in a reaction, with a chain of them
// expect: js-error:Error
// also: line 5
// also: stack program.js:5:
await Promise.resolve(1).then((n) => n + 1).then(() => { throw new Error("in then"); });
