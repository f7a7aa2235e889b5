//? --expect "string[]"
const n = 3;
n.toFixed(2) + 1
//! TS2322 3:1-3:17 Expected `string[]`, found `string`.
