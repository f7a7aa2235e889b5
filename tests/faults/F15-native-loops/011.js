// limits: wall=150
// expect: deadline or memory-limit or js-error:RangeError
Array.prototype.join.call({ length: 2 ** 32 }, "");
