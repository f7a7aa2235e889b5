// title: a default parameter and a computed name
// limits: wall=150
// expect: deadline
const spin = () => { for (;;) {} };
((a = spin()) => a)();
