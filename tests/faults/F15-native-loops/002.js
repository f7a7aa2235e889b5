// limits: wall=500
// expect: js-error:RangeError or memory-limit or deadline
"x".repeat(2 ** 28).split("");
