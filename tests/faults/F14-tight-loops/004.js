// title: a storm of microtasks
// limits: wall=150
// expect: deadline
Promise.resolve().then(function f() { return Promise.resolve().then(f); });
