// title: a default export that is an expression of functions
// mode: text
// expect: value:10
// ---
export default await (async () => 10)()
