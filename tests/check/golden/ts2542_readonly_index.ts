const order: readonly string[] = ["a", "b"];
order[0] = "z";
export {};
//! TS2542 2:1-2:9 The elements of `readonly string[]` are read-only.
