// imports that only types use vanish
import "effect";
import a, { type T, b, c as d, e } from "m";
import * as ns from "n";
import * as used from "o";
import type { U } from "p";
import { type V } from "q";
import W from "r" with { type: "json" };
export * from "s";
export { type X, x } from "t";
export type { Y } from "u";
interface Z { t: T, w: W, e: e }
const local = 1;
export { Z, local, d };
export default Z;
function f(e: ns.T) { return e + b + used.x; }
// ---
// imports that only types use vanish
import "effect";
import    {         b, c as d,   } from "m";

import * as used from "o";



export * from "s";
export {         x } from "t";


const local = 1;
export {    local, d };

function f(e      ) { return e + b + used.x; }
