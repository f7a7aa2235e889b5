function* count(to) { for (let i = 0; i < to; i++) yield i; }
async function* slowly(to) { for (let i = 0; i < to; i++) yield i; }
let n = 0;
for (const x of count(20000)) n += x;
n += count(20000).filter((x) => x % 3).map((x) => x * 2).drop(3).take(5000).reduce((a, b) => a + b);
for await (const x of slowly(3000)) n += x;
const tasks = Array.from({ length: 1000 }, async (_, i) => { await null; return i; });
n += (await Promise.all(tasks)).length + (await Promise.allSettled(tasks)).length;
n += await Promise.race(tasks) + await Promise.any(tasks);
return n;
