export function first(list: inventory.Item[]) { return list[0]; }
//! TS2503 1:29-1:38 There is no namespace `inventory`.
