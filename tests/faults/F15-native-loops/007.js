// limits: wall=500
// expect: value:"bigint" or deadline or memory-limit or js-error:RangeError
typeof (10n ** 10000000n);
