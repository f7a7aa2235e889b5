let bag = [];
export function peek() { return bag; }
bag = [1];
//! TS7034 1:5-1:8 `bag` needs a type: it cannot be worked out everywhere it is used.
//! TS7005 2:33-2:36 `bag` has no type of its own, so it would be `any[]`.
