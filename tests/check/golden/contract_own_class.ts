//? --expect Report --export "render:(r: Report, s: Size) => string"
const RATE = 2;
enum Size { Small, Large }
class Report { constructor(readonly n: number) {} total() { return this.n * RATE; } }
export function render(r: Report): number { return r.total(); }
if (Math.random() > 2) return new Report(1);
return { n: 3 };
//! TN1123 5:17-5:23 Export `render` must be `(r: Report, s: Size) => string`: expected `(r: Report, s: Size) => string`, found `(r: Report) => number`: expected `string`, found `number`.
//! TS2741 7:1-7:7 `{ n: number; }` lacks `total`, which `Report` requires.  [declared=class Report { constructor(readonly n: number) {} total() { return this.n * RATE; } }]
