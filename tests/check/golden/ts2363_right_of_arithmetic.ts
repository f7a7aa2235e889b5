const step = "3";
export const left = 10 * step;
//! TS2363 2:26-2:30 The right side of this calculation must be a number or bigint.
