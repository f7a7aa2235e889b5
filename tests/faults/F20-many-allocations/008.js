// memory: 8M 16M
// limits: wall=10000
// expect: memory-limit
const a = []; for (;;) a.push(structuredClone(a.slice(-20)));
