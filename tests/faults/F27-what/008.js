// title: a stack as programs print it begins with the error's name and message
// expect: value:["RangeError: too far","    at far (program.js:","no break at the end"]
function far() { throw new RangeError('too far'); }
try { far(); } catch (e) {
  const lines = e.stack.split('\n');
  [lines[0], lines[1].slice(0, 23), lines.at(-1) === '' ? 'a break' : 'no break at the end'];
}
