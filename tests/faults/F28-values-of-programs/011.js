// title: nothing at all
// mode: text
// expect: value:{"$type":"undefined"}
// ---
