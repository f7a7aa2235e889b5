interface Store { get(key: string): string }
export class Memory implements Store { get(key: number) { return String(key); } }
//! TS2416 2:40-2:43 `get` of `Memory` does not fit `get` of its base `Store`: expected `number`, found `string`.
