//? --expect number
const a = Math.random();
if (a > 0.5) { 5 } else if (a > 0.2) { "x" } else { throw new Error("y"); }
//! TS2322 3:40-3:43 Expected `number`, found `string`.
