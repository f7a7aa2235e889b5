// title: microtasks that queue themselves
// limits: wall=150
// expect: deadline
queueMicrotask(function again() { queueMicrotask(again); });
await new Promise(() => {});
