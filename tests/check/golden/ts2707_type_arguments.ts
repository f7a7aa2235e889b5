interface Page<T, K = string> { items: T[]; key: K }
let p: Page | undefined;
p;
//! TS2707 2:8-2:12 `Page<T, K>` needs 1 to 2 type arguments.
