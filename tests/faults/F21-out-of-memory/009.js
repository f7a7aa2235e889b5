// title: after it was caught the program goes on
// memory: 4M
// limits: wall=10000
// expect: value:"went on" or memory-limit
let kept = [];
try { for (;;) kept.push(new Array(1000).fill(0)); } catch { kept = null; }
const again = new Array(1000).fill(1);
"went on"
