// title: a hundred thousand brackets
// limits: wall=1000
// expect: value:"SyntaxError" or value:"RangeError"
let name = "none";
try { new Function("(".repeat(100000)); } catch (e) { name = e.name; }
name
