interface Store { get(key: string): string; set(key: string, value: string): void }
export class Memory implements Store { get(key: string) { return key; } }
//! TS2420 2:14-2:20 Class `Memory` does not fit the interface `Store` that it claims to implement: `Memory` lacks `set`, which `Store` requires.  [declared=interface Store { get(key: string): string; set(key: string, value: string): void }]
