// limits: wall=150
// expect: deadline or js-error:TypeError
new Set([1, 2]).union({ size: Infinity, has: () => false, keys: () => ({ next: () => ({ done: false, value: 1 }) }) });
