declare function load(): Promise<{ items: string[] }>;
export const n = load().items.length;
//! TS2339 2:25-2:30 `Promise<{ items: string[]; }>` has no property `items`: `await` is missing.
