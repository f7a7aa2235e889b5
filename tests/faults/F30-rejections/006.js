// title: handled later is handled
// expect: value:"late"
// also: no-finding TN2001
const p = Promise.reject(new Error("late"));
await host.tick();
await p.catch((e) => e.message)
