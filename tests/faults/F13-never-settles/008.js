// title: the only timer was cleared: nothing is left
// limits: wall=30000
// expect: no-settle
// also: within 200
const timer = setTimeout(() => {}, 50000);
clearTimeout(timer);
await new Promise(() => {});
