// title: a limit of one millisecond
// limits: wall=1
// expect: value:1 or deadline
1
