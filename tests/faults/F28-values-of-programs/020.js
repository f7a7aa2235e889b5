// mode: text
// expect: value:9
// ---
export default Promise.resolve(9);
