import * as all from "nothing";
const wait = setTimeout(() => {}, "10");
const url = new URL("https://example.org").serchParams;
const bytes: Uint8Array = new TextEncoder().encode(5);
console.log(structuredClone({ a: 1 }).b, performance.now().toFixed(), new AbortController().signal.abortd);
const shared = new SharedArrayBuffer(1); Atomics.load; new Intl.NumberFormat("en");
[1, 2].values().map(x => x * 2).toArray(); Promise.withResolvers<number>(); new Set([1]).union(new Set([2]));
//! TS2307 1:22-1:31 There is no module `nothing`.
//! TS2345 2:35-2:39 Expected an argument of type `number`, found `string`.  [declared=setTimeout: <A extends unknown[]>(callback: (...values: A) => void, ms?: number | undefined, ...values: A | []) => number]
//! TS2551 3:44-3:55 `URL` has no property `serchParams`: did you mean `searchParams`?  [mean=searchParams]  [edit=searchParams]
//! TS2345 4:52-4:53 Expected an argument of type `string`, found `number`.  [declared=new TextEncoder().encode: (text?: string | undefined) => Uint8Array<ArrayBuffer>]
//! TS2339 5:39-5:40 `{ a: number; }` has no property `b`.
//! TS2551 5:100-5:106 `AbortSignal` has no property `abortd`: did you mean `aborted`?  [mean=aborted]  [edit=aborted]
//! TS2583 6:20-6:37 There is no `SharedArrayBuffer` in the version of the language that programs run in.
//! TS2583 6:42-6:49 There is no `Atomics` in the version of the language that programs run in.
//! TS2708 6:60-6:64 `Intl` holds only types here, so it is no value.
