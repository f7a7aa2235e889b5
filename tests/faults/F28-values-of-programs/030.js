// title: a return without a value
// mode: text
// expect: value:{"$type":"undefined"}
// ---
5;
return;
