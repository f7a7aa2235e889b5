// limits: wall=300
// expect: js-error:RangeError or memory-limit or deadline
Array(2 ** 31).fill(0).sort();
