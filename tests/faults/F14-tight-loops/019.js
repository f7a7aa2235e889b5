// title: the function of replace
// limits: wall=150
// expect: deadline
"a".replace(/a/, () => { for (;;) {} });
