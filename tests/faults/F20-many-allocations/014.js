// title: cycles are given back, too
// memory: 8M
// limits: wall=5000
// expect: value:"done"
for (let i = 0; i < 200000; i++) { const a = { list: new Array(20) }; a.self = a; }
"done"
