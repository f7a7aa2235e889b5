// title: what is let go is given back: this goes on
// memory: 8M
// limits: wall=10000
// expect: value:"done"
for (let i = 0; i < 100; i++) new Uint8Array(1 << 20).fill(i);
"done"
