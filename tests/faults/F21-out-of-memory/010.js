// title: thrown in an async function and caught with its promise
// memory: 4M
// limits: wall=10000
// expect: value-text:handled or memory-limit
async function eat() { const a = []; for (;;) { a.push(new Uint8Array(100000)); await null; } }
await eat().then(() => "no", () => "handled")
