// title: a hundred thousand deep, as JSON
// limits: wall=10000
// expect: value:"RangeError" or value:"TypeError" or value:"none" or deadline
let deep = []; for (let i = 0; i < 100000; i++) deep = [deep];
let name = "none";
try { JSON.stringify(deep); } catch (e) { name = e.name; }
name
