// title: beside a failure both are told
// expect: js-error:Error
// also: message-is main
// also: finding TN2001 6 side
// also: line 7
Promise.reject(new Error("side"));
throw new Error("main");
