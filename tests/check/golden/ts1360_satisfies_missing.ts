export const span = { from: 1 } satisfies { from: number; to: number };
//! TS2741 1:33-1:42 `{ from: number; }` lacks `to`, which `{ from: number; to: number; }` requires.  [declared=export const span = { from: 1 } satisfies { from: number; to: number };]
