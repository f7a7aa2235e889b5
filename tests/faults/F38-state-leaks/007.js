// title: after running out of memory
// mode: body-twice
// memory: 4M
// limits: wall=10000
// expect: memory-limit
if (globalThis.kept) return "leak";
globalThis.kept = [];
for (;;) globalThis.kept.push(new Array(100).fill("secret"));
