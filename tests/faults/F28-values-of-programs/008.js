// mode: text
// expect: value:{"a":1}
// ---
{a:1}
