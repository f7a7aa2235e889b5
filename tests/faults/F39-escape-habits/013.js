// title: callers and arguments are not to be had
// expect: value:["TypeError","TypeError"]
function f() { return 1; }
["caller", "arguments"].map((n) => { try { return typeof f[n]; } catch (e) { return e.name; } })
