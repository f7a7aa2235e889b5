// title: the wait is inside a function: its place is told
// limits: wall=30000
// expect: no-settle
// also: line 7
// also: within 200
async function inner() {
  await new Promise(() => {});
}
await inner();
