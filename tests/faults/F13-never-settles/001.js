// title: a promise that nothing can settle is told at once, not after the deadline
// limits: wall=30000
// expect: no-settle
// also: message nothing can settle
// also: line 7
// also: within 200
await new Promise(() => {});
