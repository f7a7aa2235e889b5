// memory: 8M 16M
// limits: wall=10000
// expect: memory-limit
let s = "x"; const a = []; for (let i = 0; ; i++) { s = s + i; a.push(s.slice(1) + s); }
