// limits: wall=150
// expect: deadline
Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);
