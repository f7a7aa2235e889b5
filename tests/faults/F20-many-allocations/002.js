// memory: 8M 32M
// limits: wall=10000
// expect: memory-limit
const a = []; for (let i = 0; ; i++) a.push("x".repeat(1 << 20) + i);
