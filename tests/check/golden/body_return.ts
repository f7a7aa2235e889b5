//? --expect "string[]"
import { x } from "foo";
interface Issue { id: number; title: string }
declare function list(status: string): Promise<Issue[]>;
const é = "𝒳"; const bad: number = é;
const issues = await list("open");
if (issues.length === 0) return [];
return issues.map(i => i.titel);
//! TS2307 2:19-2:24 There is no module `foo`.
//! TS2322 5:23-5:26 Expected `number`, found `string`.
//! TS2551 8:26-8:31 `Issue` has no property `titel`: did you mean `title`?  [mean=title]  [edit=title]  [declared=interface Issue { id: number; title: string }]
