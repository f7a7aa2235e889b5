// title: a rejection is a throw
// expect: js-error:any
// also: thrown "rejected"
return Promise.reject("rejected");
