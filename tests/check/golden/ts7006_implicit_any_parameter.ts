export function total(rows) { return rows.length; }
//! TS7006 1:23-1:27 Parameter `rows` needs a type.
