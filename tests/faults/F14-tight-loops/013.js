// title: timers without delay
// limits: wall=150
// expect: deadline
setTimeout(function again() { setTimeout(again, 0); }, 0);
await new Promise(() => {});
