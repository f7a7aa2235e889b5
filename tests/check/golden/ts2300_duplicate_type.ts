type Row = { id: number };
type Row = { id: string };
export type { Row };
//! TS2300 1:6-1:9 `Row` is declared twice.
//! TS2300 2:6-2:9 `Row` is declared twice.
