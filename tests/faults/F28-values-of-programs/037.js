// title: a label and an arrow whose body is a block
// mode: text
// expect: value:{"f":1}
// ---
const f = () => { return { f: 1 } };
f()
