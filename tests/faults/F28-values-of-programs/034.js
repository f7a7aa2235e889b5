// title: strict mode, and no this
// mode: text
// expect: value:["undefined","ReferenceError"]
// ---
let name;
try { undeclared = 1; } catch (e) { name = e.name; }
[typeof this, name]
