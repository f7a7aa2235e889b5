const o = { a: 1 };
with (o) { a; }
//! TS1101 2:1-2:5 `with` is not allowed in strict code, which all programs are.
//! TS2410 2:1-2:9 Nothing is known of names inside a `with`, so its types cannot be checked.
