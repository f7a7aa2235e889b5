// limits: wall=150
// expect: deadline
Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);
