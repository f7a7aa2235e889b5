namespace Shapes {
  export const sides = 4, unit: string = "cm";
  export let count = 0;
  export let later: number;
  let hidden = "h";
  export function area(w: number, h: number = sides): number { count++; return w * h; }
  export class Box { constructor(public w = sides) {} size(): string { return this.w + unit + hidden; } }
  export enum Kind { Flat, Deep = sides === 4 ? 9 : 1 }
  export namespace Inner { export const sides = 6; export function both() { return [sides, Shapes.sides, unit]; } }
  export const { a, b: { c = unit, ...others }, ["d"]: d } = { a: 1, b: { x: 2, y: 3 } as any, d: sides };
  export const [first, , ...more] = [1, 2, 3, 4], last = more.length;
  export interface Only { x: number }
  export type Alias = Only;
  later = 3;
  ({ count, later } = { count: 10, later: 20 });
  const shorthand = { sides, unit, hidden, count };
  console.log(JSON.stringify(shorthand), `${sides}-${unit}`, typeof later);
  function shadow(sides: string) { const unit = 1; return sides + unit; }
  console.log(shadow("s"));
  for (const sides of [1]) console.log(sides);
  try { throw "t"; } catch (unit) { console.log(unit); }
}
namespace Shapes { console.log(sides, area(2), count, new Box().size(), Kind.Deep, Inner.both(), later); export const sides2 = sides + 1; }
namespace Shapes.Deep.Deeper { export const x = sides; console.log(x, Shapes.Deep.Deeper.x); }
console.log(JSON.stringify(Shapes));
namespace TypesOnly { export interface A {} export type B = A; namespace C { export type D = 1 } }
namespace N { class N { static x = 1 } export const y = N.x; console.log(y); }
namespace P { export const q = 1; function f(P: number) { return P + q; } console.log(f(1)); }
function call() { return call.extra; }
namespace call { export const extra = "merged"; }
class Klass { static make() { return Klass.tag; } }
namespace Klass { export let tag = "tag"; }
enum En { A }
namespace En { export function parse(s: string): En { return En[s as "A"]; } }
console.log(call(), Klass.make(), En.parse("A"));
import Short = Shapes.Inner;
import Unused = Shapes.Deep;
import OnlyType = TypesOnly.A;
let t: OnlyType;
console.log(Short.sides, typeof t);
namespace Aliases { import S = Shapes; export import K = Shapes.Kind; import U = Shapes.Inner; export const v = S.sides; console.log(K.Deep, v); }
console.log(JSON.stringify(Aliases));
declare namespace Ambient { const x: number; }
module Old { export const z = 1; export async function* gen() { yield z; } export const arrow = async (x: number): Promise<number> => x + z; }
console.log(await Old.arrow(1));
for await (const v of Old.gen()) console.log(v);
export namespace Out { export const k = 1; }
export namespace Out { export const l = k + 1; }
console.log(JSON.stringify(Out));
