// title: in split
// limits: wall=150
// expect: deadline or value-any
"a".repeat(60).split(/(a*)*b/).length;
