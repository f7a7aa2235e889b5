//? --export "f:(a: Missing) => Promise<string, number>"
export const f = () => 1;
//! TN1124 1:5-1:12 In the type of export `f`, there is no `Missing` here.  [in=the type of export `f`]
//! TN1124 1:17-1:40 In the type of export `f`, `Promise<T>` needs 1 type argument.  [in=the type of export `f`]
