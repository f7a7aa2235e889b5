// limits: wall=150
// expect: deadline or value:null
/(x+x+)+y/.exec("x".repeat(40));
