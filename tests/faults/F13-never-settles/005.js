// title: a thenable that calls nobody back
// limits: wall=30000
// expect: no-settle
// also: within 200
await { then() {} };
