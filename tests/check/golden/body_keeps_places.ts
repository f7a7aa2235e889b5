//? --declare bindings/chatter.d.ts --expect number
import { fetchThread } from "chatter"; import { gone } from "chatter";
type Kind = typeof KINDS[number];
const KINDS = ["a", "b"] as const;
interface Row { kind: Kind; "𝒳é": number }
export const rows: Row[] = [{ kind: "c", "𝒳é": 1 }]; rows[0]?.["𝒳é"].foo;
export { rows as all };
enum Level { Low, High }
class Box<T> { constructor(public readonly value: T) {} }
const level: Level = Level.Hihg;
for (const row of rows) { if (row.kind === "a") return row; }
return new Box(level).value.toFixed() + "";
//! TS2305 2:10-2:21 Module "chatter" does not export `fetchThread`.
//! TS2305 2:49-2:53 Module "chatter" does not export `gone`.
//! TS2322 6:31-6:35 Expected `"a" | "b"`, found `"c"`, for `kind` of `Row`.  [declared=interface Row { kind: Kind; "𝒳é": number }]
//! TS2339 6:72-6:75 `number` has no property `foo`.
//! TS2339 10:28-10:32 `typeof Level` has no property `Hihg`.
//! TS2322 11:49-11:55 Expected `number`, found `Row`.
//! TS2322 12:1-12:7 Expected `number`, found `string`.
