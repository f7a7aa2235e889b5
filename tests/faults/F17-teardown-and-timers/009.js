// title: an error in a timer is told, with its line
// expect: value:1
// also: finding TN2001 5 in a timer
// also: console log after
setTimeout(() => { throw new Error("in a timer"); }, 5);
setTimeout(() => console.log("after"), 10);
1
