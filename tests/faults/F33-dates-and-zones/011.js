// title: a seed makes chance the same
// seed: 42
// mode: body-twice
// expect: value:true
const a = Math.random(), b = Math.random();
a !== b && a >= 0 && a < 1
