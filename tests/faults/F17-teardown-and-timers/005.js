// title: a long one is dropped, and that is told
// limits: wall=60000
// expect: value:1
// also: finding TN2003 *
// also: console-count 0
// also: within 200
setTimeout(() => console.log("too late"), 50000);
1
