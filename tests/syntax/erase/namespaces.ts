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
