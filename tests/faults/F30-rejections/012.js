// title: what a timer's function rejects
// expect: value:5
// also: finding TN2001 * from a timer
setTimeout(async () => { throw new Error("from a timer"); }, 5);
5
