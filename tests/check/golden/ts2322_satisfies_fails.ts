export const limits = { daily: 5, weekly: "20" } satisfies Record<string, number>;
//! TS2322 1:35-1:41 Expected `number`, found `string`.
