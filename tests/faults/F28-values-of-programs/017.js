// title: a declaration at the end has no value
// mode: text
// expect: value:{"$type":"undefined"}
// ---
const a = 5;
