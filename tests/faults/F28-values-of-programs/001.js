// mode: text
// expect: value:2
// ---
let x = 1; x + 1
