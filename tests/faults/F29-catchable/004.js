// title: which package, which function
// expect: value:["host","fails"]
try { await host.fails(); } catch (e) { return [e.package, e.function]; }
