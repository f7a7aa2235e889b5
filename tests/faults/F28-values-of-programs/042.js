// title: a lone exported arrow of nothing is called
// mode: text
// expect: value:[1,2]
// ---
const list = [1, 2];
export default () => list;
