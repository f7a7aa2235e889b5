// title: moving within an array-like without end
// limits: wall=150
// expect: deadline
Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1);
