// limits: wall=150
// expect: deadline or value:false
/^(?:(?:a|a)*)*$/.test("a".repeat(60) + "b");
