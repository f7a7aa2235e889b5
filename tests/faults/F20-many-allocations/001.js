// memory: 8M 32M
// limits: wall=10000
// expect: memory-limit
const a = []; for (;;) a.push(new Uint8Array(1 << 20));
