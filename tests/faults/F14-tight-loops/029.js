// title: Promise.all over a growing list
// limits: wall=150
// expect: deadline or memory-limit
function* grow() { for (;;) yield Promise.resolve(); }
await Promise.all(grow());
