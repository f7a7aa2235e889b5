//? --expect number
if (Math.random() > 0.5) return 1;
if (Math.random() > 0.5) { 2 } else { "3" }
//! TS2322 3:39-3:42 Expected `number`, found `string`.
