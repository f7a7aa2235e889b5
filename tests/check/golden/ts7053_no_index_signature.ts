const prices = { tea: 2, coffee: 3 };
export function price(name: string) { return prices[name]; }
//! TS7053 2:46-2:58 `{ tea: number; coffee: number; }` cannot be indexed by `string`: `{ tea: number; coffee: number; }` has no index signature for `string`.
