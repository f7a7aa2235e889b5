// memory: 8M
// limits: wall=10000
// expect: memory-limit
const a = []; for (let i = 0; ; i++) a.push(new Function("return " + i + ";" + " ".repeat(1000)));
