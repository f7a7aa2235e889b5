// title: only a comment of the other kind
// mode: text
// expect: value:{"$type":"undefined"}
// ---
/* nothing */
