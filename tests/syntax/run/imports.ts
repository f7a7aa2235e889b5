import { join, type ParsedPath, basename as base } from "node:path";
import type { Stats } from "node:fs";
import fs, { type Dirent, promises } from "node:fs";
import * as os from "node:os";
import { NoSuchExport } from "node:path";
import * as nothing from "no-such-module";
import nobody, { NoSuchType } from "no-such-module";
import { } from "no-such-module";
import { sep as separator } from "node:path";
namespace Alias { export namespace Inner { export const v = os.EOL.length > 0; } }
import Late = Alias.Inner;
function shadow(NoSuchExport: string, nobody = 1) { return NoSuchExport + nobody; }
type T = NoSuchExport | ParsedPath | NoSuchType | nothing.X | Stats | Dirent | typeof base;
let value: T | undefined;
class Impl implements NoSuchType<string> { x?: NoSuchExport }
const object = { separator };
console.log(join("a", "b"), typeof fs.readFileSync, shadow("s"), Late.v, new Impl().x, value, object.separator.length);
interface I { }
type J = I;
export { I, J as K, join };
export type { Stats };
export default I;
