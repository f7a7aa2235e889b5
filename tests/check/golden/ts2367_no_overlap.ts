declare const state: "open" | "closed";
export const done = state === "done";
//! TS2367 2:21-2:37 `"closed" | "open"` and `"done"` have no value in common, so this comparison always gives the same.
