// title: in a function given to map
// expect: js-error:RangeError
// also: line 7
// also: stack program.js:7:
// also: stack program.js:6:
[1, 2].map(
  (n) => { throw new RangeError("no " + n); });
