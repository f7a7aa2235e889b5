const row: { id: number; note: string } = { id: 1, note: "" };
delete row.note;
export { row };
//! TS2790 2:8-2:16 Only an optional property can be deleted.
