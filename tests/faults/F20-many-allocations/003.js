// memory: 8M 32M
// limits: wall=10000
// expect: memory-limit
const a = [], b = new Uint8Array(1 << 18); for (;;) a.push(b.slice());
