// title: a thenable of thenables
// limits: wall=150
// expect: deadline
const t = { then(yes) { yes(t); } };
await t;
