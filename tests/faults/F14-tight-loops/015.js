// title: an async iterator without end
// limits: wall=150
// expect: deadline
const endless = { [Symbol.asyncIterator]() { return { next: async () => ({ done: false }) }; } };
for await (const x of endless);
