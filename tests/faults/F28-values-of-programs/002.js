// mode: text
// expect: value:5
// ---
if (1) { 5 }
