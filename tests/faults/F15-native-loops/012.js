// limits: wall=150
// expect: deadline
Array.prototype.reverse.call({ length: 2 ** 53 - 1 });
