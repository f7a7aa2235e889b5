// mode: text
// expect: value:12
// ---
() => 12;
