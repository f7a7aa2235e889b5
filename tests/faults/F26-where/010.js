// title: an error of a host call carries the line of the call
// expect: js-error:Error
// also: line 7
// also: code EBROKEN
// also: retryable true
// also: effect host.fails 7 failed
await host.fails();
