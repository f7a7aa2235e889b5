// title: a class, a template, a regular expression as the last thing
// mode: text
// expect: value:{"$type":"regexp","source":"a+","flags":"g"}
// ---
class A {}
/a+/g
