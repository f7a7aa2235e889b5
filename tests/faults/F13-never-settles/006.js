// title: a promise that waits for itself
// limits: wall=30000
// expect: no-settle
// also: within 200
let a = (async () => { await 0; await a; })();
await a;
