// a blank must not let two statements run together
let a = f
type A = 1
(b)
let c = d as any
[0]
let e = g
interface B { }
`t`
x
import type { Y } from "y"
(z)
class C {
  get: number
  set?: string
  p = 1
  private [q] = 2
  r = 1
  abstract s(): void
  public *gen() { }
  t = 1 as any
  ["u"] = 2
}
if (a) type Q = 1
else interface R { }
// ---
// a blank must not let two statements run together
let a = f
;
(b)
let c = d ;
[0]
let e = g
;
`t`
x
;
(z)
class C {
  get;
  set;
  p = 1
  ;       [q] = 2
  r = 1
  ;
         *gen() { }
  t = 1 ;
  ["u"] = 2
}
if (a) ;
else ;
