// title: a long limit costs a short program nothing
// limits: wall=60000
// expect: value:1
// also: within 100
1
