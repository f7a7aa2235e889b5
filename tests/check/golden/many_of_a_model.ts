interface A { readonly id: number; name: string }
function take(a: A, ...rest: number[]): string { return a.name; }
take({ id: "1", name: 2 }, 1, "2");
take({ id: 1 });
const a: A = take({ id: 1, name: "x" });
a.id = 2; a.nme;
async function load(): Promise<A> { return { id: 1, name: "a" }; }
load().name; const list: A[] = load();
(await load()).name.toFixed();
if (load()) {}
//! TS2322 3:8-3:10 Expected `number`, found `string`, for `id` of `A`.  [declared=interface A { readonly id: number; name: string }]
//! TS2322 3:17-3:21 Expected `string`, found `number`, for `name` of `A`.  [declared=interface A { readonly id: number; name: string }]
//! TS2741 4:6-4:15 `{ id: number; }` lacks `name`, which `A` requires.  [declared=interface A { readonly id: number; name: string }]
//! TS2322 5:7-5:8 Expected `A`, found `string`.
//! TS2540 6:3-6:5 `id` is read-only.
//! TS2551 6:13-6:16 `A` has no property `nme`: did you mean `name`?  [mean=name]  [edit=name]  [declared=interface A { readonly id: number; name: string }]
//! TS2339 8:8-8:12 `Promise<A>` has no property `name`: `await` is missing.
//! TS2740 8:20-8:24 `Promise<A>` lacks `length`, `pop`, `push`, `concat` and more of `A[]`.
//! TS2551 9:21-9:28 `string` has no property `toFixed`: did you mean `fixed`?  [mean=fixed]  [edit=fixed]
//! TS2801 10:5-10:11 This condition is always true, since `Promise<A>` is a promise: `await` it.
