// mode: text
// expect: value:7
// ---
export default 7
