// what is put in front of a line must not go on with the line before
enum E { A }
let a = E.A
enum E { B = 5 }
function f() { }
f()
namespace f { export const x = 1 }
namespace f {
  x
  export const { y } = f
  x
  export const [z] = [1]
}
class C { get a(): number; set b(v) }
import { T } from "t";
const T = 1;
T;
export { T };
// ---
// what is put in front of a line must not go on with the line before
var E; (function (E) { E[E["A"] = 0] = "A"; })(E || (E = {}));
let a = E.A
;(function (E) { E[E["B"] = 5] = "B"; })(E || (E = {}));
function f() { }
f()
;(function (f) {            f.x = 1 })(f || (f = {}));
(function (f) {
  f.x
             ;({ y: f.y } = f)
  f.x
             ;([f.z] = [1])
})(f || (f = {}));
class C { get a()         { } set b(v) { } }

const T = 1;
T;
export { T };
