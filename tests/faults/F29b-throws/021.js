// title: the cause goes with it
// expect: js-error:Error
// also: cause {"inner":1}
throw new Error("outer", { cause: { inner: 1 } });
