// title: a constructor of host errors
// expect: value:[true,true]
let e;
try { await host.fails(); } catch (error) { e = error; }
[e.constructor === Error, e.constructor.constructor("return this")() === globalThis]
