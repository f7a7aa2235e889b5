// limits: wall=150
// expect: deadline
const a = [];
a.length = 2 ** 32 - 1;
for (const x of a);
