// title: an async generator's finally, begun by return
// limits: wall=150
// expect: deadline
async function* g() { try { yield 1; } finally { for (;;) {} } }
for await (const x of g()) break;
