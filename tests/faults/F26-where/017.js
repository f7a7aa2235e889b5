// title: a call over several lines is where it begins, in the stack too
// expect: js-error:Error
// also: line 6
// also: stack program.js:6:
// also: stack program.js:7:
function fail(first, second) { throw new Error(first + second); }
fail(
  "a",
  (() => "b")(),
);
