// no line may end before `=>`, nor behind `async` and `return`
const a = (x: number):
  string => "x";
const b = (x: number): {
  y: number;
} => ({ y: 1 });
const c = async <
  T,
>(x: T) => x;
function d() {
  return <
    T>(x: T) => x;
}
function e() {
  return <
    any>1;
}
const f = () => <any>{ a: 1 };
<any>function () { };
// ---
// no line may end before `=>`, nor behind `async` and `return`
const a = (x
       ) => "x";
const b = (x

) => ({ y: 1 });
const c = async (

  x   ) => x;
function d() {
  return (
       x   ) => x;
}
function e() {
  return (
        1);
}
const f = () => (    { a: 1 });
(    function () { });
