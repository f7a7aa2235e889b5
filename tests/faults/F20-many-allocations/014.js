// title: cycles are given back, too
// memory: 8M
// limits: wall=10000
// expect: value:"done"
for (let i = 0; i < 100000; i++) { const a = { list: new Array(20) }; a.self = a; }
"done"
