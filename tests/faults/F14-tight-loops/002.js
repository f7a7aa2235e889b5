// title: in a promise executor
// limits: wall=150
// expect: deadline
new Promise(() => { while (true) {} });
