// title: an interval could still settle it, so the deadline ends it
// limits: wall=200
// expect: deadline
setInterval(() => {}, 10);
await new Promise(() => {});
