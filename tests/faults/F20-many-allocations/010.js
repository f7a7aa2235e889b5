// memory: 8M
// limits: wall=10000
// expect: memory-limit
const a = []; for (;;) { const big = new Array(10000).fill(0); a.push(() => big); }
