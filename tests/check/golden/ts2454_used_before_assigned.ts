let cursor: string;
if (Date.now() > 0) cursor = "a";
export const next = cursor.length;
//! TS2454 3:21-3:27 `cursor` may be used here before it got a value.
