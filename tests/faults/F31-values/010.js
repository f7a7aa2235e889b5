// title: a proxy is not asked
// expect: js-error:TypeError
// also: message roxy
return new Proxy({}, { ownKeys() { throw 1 } });
