// enums become objects, on their lines
enum Color { Red, Green = 3, Blue }
export const enum Flags {
  None = 0, // nothing
  A = 1 << 0,
  B = 1 << 1,
  /* both */ Both = A | B,
  Text = "t" + 'u',
  "x-y" = Color.Blue,
  Computed = f(A), Last = `${Text}!`
}
declare enum Gone { A }
function g() { enum Inner { A } return Inner.A; }
