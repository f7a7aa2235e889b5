// title: answered later, by another thread
// expect: value:[true,"Error","slow and failed","ESLOW",true]
try { await host.failsLater(1); } catch (e) { return [e instanceof Error, e.name, e.message, e.code, e.retryable]; }
