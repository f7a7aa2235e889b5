// expect: js-error:RangeError or memory-limit
new ArrayBuffer(2 ** 40);
