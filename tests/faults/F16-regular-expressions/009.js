// title: in matchAll, drained
// limits: wall=150
// expect: deadline or value-any
[...("a".repeat(40) + "!").matchAll(/^(a?){40}a{40}/g)].length;
