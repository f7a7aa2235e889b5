// title: a call still open at return is waited for, for a moment
// limits: linger=500
// expect: value:1
// also: effect host.slow 7 ok
// also: no-finding TN2002
// also: within 400
host.slow(50);
return 1;
