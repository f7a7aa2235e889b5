const m = new Map<string, number[]>();
export const n = m.get("k").length;
//! TS2532 2:18-2:28 This may be `undefined`.
