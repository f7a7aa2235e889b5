// title: an import, and a named export beside the value
// mode: text
// expect: value:"ok"
// ---
import { ok } from "host";
export const unused = 1;
await ok()
