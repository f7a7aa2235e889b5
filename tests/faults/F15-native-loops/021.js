// limits: wall=150
// expect: deadline or memory-limit
const o = {};
for (let i = 0; ; i++) { o["k" + i] = i; Object.keys(o); }
