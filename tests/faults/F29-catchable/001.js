// expect: value:[true,"Error","it is broken","EBROKEN",true]
try { await host.fails(); } catch (e) { return [e instanceof Error, e.name, e.message, e.code, e.retryable]; }
