// title: ignoring case over all of Unicode
// limits: wall=1000
// expect: value:false or deadline
/[^\p{L}\P{L}]/iv.test("x".repeat(100000));
