// title: as many timers as one may have, each setting itself again: the deadline
// limits: wall=300
// expect: deadline
for (let i = 0; i < 9000; i++) setTimeout(function again() { setTimeout(again, 0); }, 0);
await new Promise(() => {});
