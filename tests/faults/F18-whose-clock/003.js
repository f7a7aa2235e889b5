// title: computing is counted as such
// limits: cpu=50 wall=3000
// expect: deadline
// also: code cpu
// also: within 400
for (;;);
