//? --expect Report
interface Report { rows: Row[]; title?: string }
type Row = { n: number };
const rows: Row[] = [{ n: 1 }];
if (rows.length > 3) return { rows, titel: "x" };
return { rows: [{ n: "1" }] };
//! TS2561 5:37-5:42 `Report` has no property `titel`: did you mean `title`?  [mean=title]  [edit=title]
//! TS2322 6:19-6:20 Expected `number`, found `string`, for `n` of `Row`.  [declared=type Row = { n: number };]
