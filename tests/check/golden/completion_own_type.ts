//? --expect Report
interface Report { rows: { n: number }[] }
try { ({ rows: [{ n: 1 }, { n: "2" }] }) } catch (e) { Promise.resolve({ rows: [] }) }
//! TS2322 3:29-3:30 Expected `number`, found `string`, for `n` of `{ n: number; }`.  [declared=interface Report { rows: { n: number }[] }]
