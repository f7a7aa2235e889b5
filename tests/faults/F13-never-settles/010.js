// title: an async generator that never yields
// limits: wall=30000
// expect: no-settle
// also: within 200
async function* nothing() { await new Promise(() => {}); yield 1; }
for await (const x of nothing()) console.log(x);
