// title: the loser of a race may fail later, unseen
// limits: linger=200
// expect: value:"ok"
// also: no-finding TN2001
await Promise.race([host.ok(), host.failsLater(20)])
