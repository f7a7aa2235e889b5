//? --expect "number | undefined"
let last: string | null = null;
for (const x of ["a", "b"]) { if (last !== null) last.length; last = x; x }
//! TS2322 3:73-3:74 Expected `number`, found `string`.
