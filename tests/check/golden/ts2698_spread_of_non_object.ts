export function extend(base: unknown) { return { ...base, extra: 1 }; }
//! TS2698 1:50-1:57 Only an object can be spread here.
