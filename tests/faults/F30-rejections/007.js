// title: thrown in an async function that nobody awaits
// expect: value:2
// also: finding TN2001 5 lost
async function lose() {
  throw new Error("lost"); }
lose();
2
