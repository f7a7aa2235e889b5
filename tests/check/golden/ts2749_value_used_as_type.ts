const defaults = { page: 1 };
export function list(options: defaults) { return options; }
//! TS2749 2:31-2:39 `defaults` is a value, and a type must stand here: `typeof defaults` is its type.
