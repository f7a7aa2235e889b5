// title: taking nothing apart fails at its own line
// expect: js-error:TypeError
// also: line 6
const first = Math.max(1, 2);

const { q } = first > 5 ? {} : null;
return q;
