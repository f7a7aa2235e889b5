// title: a reviver
// limits: wall=150
// expect: deadline
JSON.parse("[1,2]", () => { for (;;) {} });
