type A = A;
type B = { x: B } | B;
let a: A | B; export {};
//! TS2456 1:6-1:7 Type `A` is defined as itself, with nothing in between.
//! TS2456 2:6-2:7 Type `B` is defined as itself, with nothing in between.
