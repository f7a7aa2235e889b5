const count = 0;
for (const n of [1, 2]) count += n;
export { count };
//! TS2588 2:25-2:30 `count` is a constant: it cannot be assigned to.
