// title: recursion is a RangeError
// expect: value:[true,"RangeError",true]
let depth = 0, error;
try { (function f() { depth++; f(); })(); } catch (e) { error = e; }
[error instanceof RangeError, error.name, depth >= 5000]
