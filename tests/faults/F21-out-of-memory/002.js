// expect: js-error:RangeError or memory-limit
"x".repeat(2 ** 30).length;
