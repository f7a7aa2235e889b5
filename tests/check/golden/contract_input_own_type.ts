//? --input-type "rows=Row[]" --expect number
interface Row { a: number }
return rows.map(row => row.b);
//! TS2322 3:1-3:7 Expected `number`, found `any[]`.
//! TS2339 3:28-3:29 `Row` has no property `b`.
