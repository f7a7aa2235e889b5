// title: a number of a million digits as text, again and again
// limits: wall=150
// expect: deadline or js-error:RangeError
for (;;) (3n ** 200000n).toString();
