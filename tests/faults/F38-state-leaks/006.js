// title: after being stopped hard
// mode: body-twice
// limits: wall=100
// expect: deadline
if (globalThis.k !== undefined || [].x) return "leak";
globalThis.k = "secret"; Array.prototype.x = 1;
Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);
