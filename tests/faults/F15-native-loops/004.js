// limits: wall=300
// expect: js-error:RangeError or memory-limit or deadline
new Uint8Array(2 ** 30).indexOf(1);
