// title: a function that calls itself
// expect: js-error:RangeError
function f() { f(); }
f();
