// limits: wall=150
// expect: js-error:RangeError or memory-limit or deadline
new Array(1e9) + "";
