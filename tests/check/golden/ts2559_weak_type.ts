interface Paging { page?: number; size?: number }
const opts = { offset: 3 };
const paging: Paging = opts;
export { paging };
//! TS2559 3:7-3:13 `{ offset: number; }` has no property in common with `Paging`.
