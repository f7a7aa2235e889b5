type Take<T, K> = T[K];
let a: Take<{ x: 1 }, "x"> | undefined;
a;
//! TS2536 1:19-1:23 `K` cannot be used to index `T`.
