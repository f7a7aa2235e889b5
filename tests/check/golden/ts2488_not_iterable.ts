const counts = { a: 1, b: 2 };
for (const c of counts) console.log(c);
declare const console: { log(...x: unknown[]): void };
export {};
//! TS2488 2:17-2:23 `{ a: number; b: number; }` cannot be iterated over: it is no array, set, map or other iterable.
