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
enum Hidden { A = 1, B = ((Hidden: number) => Hidden + A)(1) } // its own name is another's inside
// ---
// enums become objects, on their lines
var Color; (function (Color) { Color[Color["Red"] = 0] = "Red"; Color[Color["Green"] = 3] = "Green"; Color[Color["Blue"] = 4] = "Blue"; })(Color || (Color = {}));
export var Flags; (function (Flags) {
  Flags[Flags["None"] = 0] = "None"; // nothing
  Flags[Flags["A"] = 1] = "A";
  Flags[Flags["B"] = 2] = "B";
  /* both */ Flags[Flags["Both"] = 3] = "Both";
  Flags["Text"] = "tu";
  Flags[Flags["x-y"] = 4] = "x-y";
  Flags[Flags["Computed"] = f(Flags.A)] = "Computed"; Flags["Last"] = "tu!";
})(Flags || (Flags = {}));

function g() { let Inner; (function (Inner) { Inner[Inner["A"] = 0] = "A"; })(Inner || (Inner = {})); return Inner.A; }
var Hidden; (function (Hidden_1) { Hidden_1[Hidden_1["A"] = 1] = "A"; Hidden_1[Hidden_1["B"] = ((Hidden        ) => Hidden + Hidden_1.A)(1)] = "B"; })(Hidden || (Hidden = {})); // its own name is another's inside
