// title: after a host call was answered, nothing is left
// limits: wall=30000
// expect: no-settle
// also: line 9
// also: effect host.ok 8 ok
// also: within 200
let settle;
const other = host.ok().then(() => new Promise((yes) => { settle = yes; }));
await other;
