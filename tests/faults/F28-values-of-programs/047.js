// title: a default export is the value, whatever an earlier statement gave
// mode: text
// expect: value:[1,2,3]
// ---
const a = [1, 2];
a.push(3);
export default a;
