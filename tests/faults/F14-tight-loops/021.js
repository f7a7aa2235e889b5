// title: a getter on Object.prototype named then, asked by await
// limits: wall=150
// expect: deadline
Object.defineProperty(Object.prototype, "then", { get() { for (;;) {} } });
await {};
