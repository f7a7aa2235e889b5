// title: a block that is none
// mode: text
// expect: value:3
// ---
{ let a = 1; a + 2 }
