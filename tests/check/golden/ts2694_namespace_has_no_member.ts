declare namespace inventory { interface Item { sku: string } }
export function first(list: inventory.Product[]) { return list[0]; }
//! TS2694 2:39-2:46 `inventory` has no member `Product`.
