// title: order: jobs, then timers by due time, then by age
// expect: value:["sync","microtask","a","b","c","immediate-cleared"]
const order = [];
const done = new Promise((yes) => setTimeout(() => { order.push("immediate-cleared"); yes(); }, 30));
setTimeout(() => order.push("c"), 12);
setTimeout(() => order.push("a"), 3);
setTimeout(() => order.push("b"), 3);
const gone = setImmediate(() => order.push("gone"));
clearImmediate(gone);
queueMicrotask(() => order.push("microtask"));
order.push("sync");
await done;
order
