const n = 3;
export const label = `${n} items` ?? "none";
//! TS2869 2:22-2:34 What stands right of `??` is never used: the left side is never null or undefined.
