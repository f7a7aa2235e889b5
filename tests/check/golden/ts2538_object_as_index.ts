const at: object = {};
export const first = [1, 2][at];
//! TS2538 2:29-2:31 `object` cannot be used as an index.
