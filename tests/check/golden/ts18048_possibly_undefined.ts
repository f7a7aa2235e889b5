const hit = ["a", "b"].find((x) => x === "b");
export const up = hit.toUpperCase();
//! TS18048 2:19-2:22 `hit` may be `undefined`.
