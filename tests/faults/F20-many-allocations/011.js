// memory: 8M
// limits: wall=10000
// expect: memory-limit
const a = []; for (;;) a.push(await host.echo("y".repeat(100000)));
