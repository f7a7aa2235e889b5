// title: a proxy of an error
// expect: js-error:any
throw new Proxy(new Error("hidden"), { get() { throw 1; }, getPrototypeOf() { throw 2; } });
