// title: a call that is not awaited fails: told with its line
// expect: value:1
// also: finding TN2001 5 it is broken
// also: effect host.fails 5 failed
host.fails();
1
