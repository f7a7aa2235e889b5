// mode: text
// expect: value:4
// ---
async () => 4
