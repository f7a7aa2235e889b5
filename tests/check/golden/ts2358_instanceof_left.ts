export const isErr = (s: string) => s instanceof Error;
//! TS2358 1:37-1:38 The left side of `instanceof` must be an object.
