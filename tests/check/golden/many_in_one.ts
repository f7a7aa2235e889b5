const o = { a: 1 };
o.a++;
export const r: { a: 1 } = o;
let f = () => f();
function g(b: string, a?: number) {}
const { z } = { a: 1 };
export const q = o as unknown as { x?: number } | string;
q.x; [...o]; for (const k of 5) {}
throw new Eror("x");
//! TS2322 3:14-3:15 Expected `{ a: 1; }`, found `{ a: number; }`: expected `1`, found `number`.
//! TS7023 4:5-4:6 `f` needs a return type: what it returns refers to itself.
//! TS2339 6:9-6:10 `{ a: number; }` has no property `z`.
//! TS2353 6:17-6:18 `{ z: any; }` has no property `a`.
//! TS2339 8:3-8:4 `string | { x?: number | undefined; }` has no property `x`: `string` has no property `x`.
//! TS2488 8:10-8:11 `{ a: number; }` cannot be iterated over: it is no array, set, map or other iterable.
//! TS2488 8:30-8:31 `5` cannot be iterated over: it is no array, set, map or other iterable.
//! TS2552 9:11-9:15 There is no `Eror` here: did you mean `Error`?  [mean=Error]  [edit=Error]
