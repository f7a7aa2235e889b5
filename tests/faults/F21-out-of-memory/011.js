// title: the pattern of a frame: deep recursion, many times over
// limits: wall=5000
// expect: value:50
let times = 0;
for (let i = 0; i < 50; i++) { try { (function f() { f(); })(); } catch { times++; } }
times
