//? --input-type "rows=Array<Rwo>" --input-type "n=number"
interface Row { a: number }
return rows.length + n.length;
//! TN1124 1:7-1:10 In the type of the input, there is no `Rwo` here.  [in=the type of the input]
//! TS2339 3:24-3:30 `number` has no property `length`.
