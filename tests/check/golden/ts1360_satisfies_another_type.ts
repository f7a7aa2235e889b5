declare const n: number;
export const s = n satisfies string;
//! TS1360 2:20-2:29 `number` does not satisfy `string`.
