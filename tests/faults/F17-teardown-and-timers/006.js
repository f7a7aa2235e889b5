// title: an interval does not keep a settled program
// limits: wall=60000
// expect: value:1
// also: within 200
setInterval(() => {}, 5);
1
