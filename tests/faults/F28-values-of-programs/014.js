// title: an object after a comment
// mode: text
// expect: value:{"a":1}
// ---
// the answer
{a:1}
