// title: an exception that was on its way
// mode: body-twice
// expect: js-error:Error
// also: message-is same
// also: finding TN2001 *
Promise.reject(1);
setTimeout(() => { globalThis.k = 1; }, 0);
if (globalThis.k) throw new Error("leak");
throw new Error("same");
