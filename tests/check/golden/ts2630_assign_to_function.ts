function f() { return 1; }
f = () => 2;
//! TS2630 2:1-2:2 `f` is a function: it cannot be assigned to.
