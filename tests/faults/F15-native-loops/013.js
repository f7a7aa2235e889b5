// limits: wall=150
// expect: deadline or memory-limit
Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 0);
