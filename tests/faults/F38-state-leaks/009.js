// title: chance is not the same twice
// expect: value:true
const a = crypto.getRandomValues(new Uint8Array(16)), b = crypto.getRandomValues(new Uint8Array(16));
a.some((x, i) => x !== b[i]) && Math.random() !== Math.random()
