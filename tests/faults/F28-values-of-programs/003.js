// mode: text
// expect: value:3
// ---
return 3