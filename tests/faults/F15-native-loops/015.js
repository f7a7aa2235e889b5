// limits: wall=150
// expect: deadline
for (const a = new Uint8Array(16 << 20); ;) a.indexOf(1);
