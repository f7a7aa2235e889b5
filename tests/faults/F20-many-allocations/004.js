// memory: 8M 16M
// limits: wall=10000
// expect: memory-limit
const a = []; for (let i = 1n; ; i++) a.push(1n << (100000n + i));
