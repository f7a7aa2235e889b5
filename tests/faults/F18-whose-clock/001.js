// title: many short waits are one long run
// limits: wall=300
// expect: deadline
// also: code wall
for (let i = 0; i < 100; i++) await host.sleep(50);
