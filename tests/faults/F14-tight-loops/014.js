// title: an iterator without end
// limits: wall=150
// expect: deadline
const endless = { [Symbol.iterator]() { return { next: () => ({ done: false }) }; } };
for (const x of endless);
