// title: shared but not circular is written in full
// expect: value:[{"x":1},{"x":1}]
const one = { x: 1 }; return [one, one];
