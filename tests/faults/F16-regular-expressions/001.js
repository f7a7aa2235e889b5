// limits: wall=150
// expect: deadline or value:false
/^(a+)+$/.test("a".repeat(40) + "!");
