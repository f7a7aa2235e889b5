//? --expect string
const a = Math.random() as 1 | 2 | 3;
switch (a) {
  case 1: { "one"; break; }
  case 2: 2; break;
  case 3: 7;
  default: "many";
}
//! TS2322 5:11-5:13 Expected `string`, found `number`.
