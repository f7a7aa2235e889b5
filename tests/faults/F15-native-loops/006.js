// limits: wall=500
// expect: js-error:RangeError or memory-limit or deadline
"a".padEnd(2 ** 29).replaceAll("a", "bb");
