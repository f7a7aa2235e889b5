// title: no await: line and column as an editor counts them
// expect: js-error:TypeError
// also: line 7
// also: column 21
// also: stack program.js:7:
// also: frame ^
const word = "é😀"; null.x;
