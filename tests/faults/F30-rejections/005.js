// title: and cancelled if it takes longer; that is told, with its line
// limits: linger=50
// expect: value:1
// also: finding TN2002 8 host.slow
// also: effect host.slow 8 open
// also: cancelled 1
// also: within 250
host.slow(60000);
return 1;
