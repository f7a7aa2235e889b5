// title: a function that answers at once throws at once
// expect: value:["it is broken","EBROKEN"]
try { host.failsNow(); } catch (e) { return [e.message, e.code]; }
