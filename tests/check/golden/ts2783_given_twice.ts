const rest = { a: 1, b: 2 };
const all = { a: 0, ...rest };
all;
//! TS2783 2:15-2:19 `a` is given twice: what comes later replaces it.
