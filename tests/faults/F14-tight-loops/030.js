// title: a tail of calls that throw and are caught
// limits: wall=150
// expect: deadline
function f() { try { throw 1; } catch { return g(); } }
function g() { return 0; }
for (;;) f();
