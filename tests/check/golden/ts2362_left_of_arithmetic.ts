const start = "10";
export const left = start - 3;
//! TS2362 2:21-2:26 The left side of this calculation must be a number or bigint.
