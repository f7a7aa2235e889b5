//? --declare bindings/webgrab.d.ts
// uses: webgrab
import type { HttpError } from "webgrab";
export const e = new HttpError(404, "gone");
//! TS1361 4:22-4:31 `HttpError` was imported as a type only, and is used as a value: import it without `type`.  [declared=import type { HttpError } from "webgrab";]
