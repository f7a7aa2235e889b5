// title: only the rejected half of a pair was kept; nothing is thrown by waiting
// limits: wall=30000
// expect: no-settle
// also: within 200
const { promise } = Promise.withResolvers();
await promise;
