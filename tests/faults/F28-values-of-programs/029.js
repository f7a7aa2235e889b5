// title: a return inside, values after
// mode: text
// expect: value:"early"
// ---
if (true) return "early";
"late"
