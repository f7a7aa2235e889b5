// title: async recursion without a stack
// memory: 8M
// limits: wall=10000
// expect: memory-limit or js-error:RangeError or deadline
async function f() { await null; return f(); }
await f();
