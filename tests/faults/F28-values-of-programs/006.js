// mode: text
// expect: value:{"$type":"undefined"}
// ---
// only a comment