// namespaces become functions, on their lines
namespace N {
  export const x: number = 1, y = x;
  export let later: string;
  export function f(a: number): number { return a + x; }
  export class C { }
  export const { a, b: [c], ...d } = { a: y, b: [x] };
  let local = { x, local: x };
  export namespace Inner { export const z = x; }
  export enum E { A = 1 }
  export interface Gone { }
}
namespace N { f(y); }
namespace A.B.C { export const q = 1; }
namespace Types { export type T = 1; }
declare namespace D { const x: number }
function merged() { }
namespace merged { export const m = 1; }
import Alias = N.Inner;
import Unused = N.Inner;
Alias.z;
namespace P { const P = 1; export const o = P; }
// ---
// namespaces become functions, on their lines
var N; (function (N) {
             N.x         = 1, N.y = N.x;

         function f(a        )         { return a + N.x; } N.f = f;
         class C { } N.C = C;
              ({ a: N.a, b: [N.c], ...N.d } = { a: N.y, b: [N.x] });
  let local = { x: N.x, local: N.x };
  let Inner; (function (Inner) {        Inner.z = N.x; })(Inner = N.Inner || (N.Inner = {}));
  let E; (function (E) { E[E["A"] = 1] = "A"; })(E = N.E || (N.E = {}));

})(N || (N = {}));
(function (N) { N.f(N.y); })(N || (N = {}));
var A; (function (A) {var B; (function (B) {var C; (function (C) {C.q = 1; })(C = B.C || (B.C = {}));})(B = A.B || (A.B = {}));})(A || (A = {}));


function merged() { }
(function (merged) {       merged.m = 1; })(merged || (merged = {}));
var    Alias = N.Inner;
var    Unused = N.Inner;
Alias.z;
var P; (function (P_1) { const P = 1;          P_1.o = P; })(P || (P = {}));
