//? --expect "string // of course" --export "f:() => number /* n */"
export const f = () => 1;
return 1;
//! TS2322 3:1-3:7 Expected `string`, found `number`.
