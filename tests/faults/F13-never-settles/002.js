// title: a host call that never answers: the deadline comes, the host is told
// limits: wall=200
// expect: deadline
// also: code wall
// also: line 8
// also: effect host.never 8 open
// also: cancelled 1
await host.never();
