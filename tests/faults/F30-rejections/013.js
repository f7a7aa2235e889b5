// title: after a throw, an open call is cancelled at once
// expect: js-error:Error
// also: effect host.slow 7 open
// also: finding TN2002 7
// also: cancelled 1
// also: within 200
host.slow(60000);
throw new Error("away");
