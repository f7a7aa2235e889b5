// limits: wall=150
// expect: deadline
[3, 1, 2].sort(() => { for (;;) {} });
