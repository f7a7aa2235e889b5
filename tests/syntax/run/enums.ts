// every kind of value an enum's member can have
enum Plain { Red, Green = 5, Blue, Alpha = 1 << 3 }
enum Text { Yes = 'yes', No = "no", Both = `${Yes}/${No}`, Quote = "a\"b\\c\n\u00e9\u{1F600}" }
const enum Constant { A = 1, B = A << 2, C = A | B, D = ~C, E = -D, F = 7 % 4, G = 2 ** 10, H = 1 / 3 }
const base = 40;
const word = "w";
enum Known { A = base + 2, B, C = word as never, "x y" = 9, D, ['z'] = 11, Inf = 1 / 0, Nan = 0 / 0 }
function compute(n: number): number { return n * 10; }
enum Computed { A = compute(1), B = A + 1, C = [1, 2, 3].map((A: number) => A + 1)[0]!, D = "abc".length }
enum Merged { A = 1 }
enum Merged { B = A + 1, C = Merged.A }
enum Other { A = Plain.Blue, B = Plain["Green"], C = Text.Yes, D = Constant.C }
enum Shadow { Shadow = 1, Y = Shadow }
enum Renamed { A = ((Renamed: number) => Renamed + 1)(1), B = compute(A) }
for (const [name, value] of Object.entries({ Plain, Text, Constant, Known, Computed, Merged, Other, Shadow, Renamed }))
  console.log(name, JSON.stringify(value, (key, v) => (typeof v === "number" && !Number.isFinite(v) ? String(v) : v)));
console.log(Plain[5], Plain.Blue, Constant.B, Known["x y"], Computed[Computed.A]);
function local() {
  enum Inner { X = base, Y }
  { enum Inner { Z = 3 } console.log(JSON.stringify(Inner)); }
  return JSON.stringify(Inner);
}
console.log(local());
switch (Plain.Red as number) { case 0: enum InCase { Q } console.log(InCase.Q); }
if (true) enum Alone { A = 2 }
declare enum Gone { A }
declare const enum GoneToo { A }
export enum Exported { A = "a" }
export enum Exported { B = "b" }
console.log(JSON.stringify(Exported));
