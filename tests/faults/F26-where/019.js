// title: walking what cannot be walked fails at its own line
// expect: js-error:TypeError
// also: line 6
const first = Math.max(1, 2);

for (const x of first) console.log(x);
