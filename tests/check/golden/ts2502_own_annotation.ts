const a: typeof a = 1;
a;
//! TS2502 1:7-1:8 `a` is named in its own type.
