// title: the iterator's return, while an error passes
// limits: wall=150
// expect: deadline
const it = { [Symbol.iterator]() { return { next: () => ({ done: false }), return() { for (;;) {} } }; } };
for (const x of it) throw new Error("passes");
