// limits: wall=150
// expect: deadline
const p = new Proxy({}, { get() { for (;;) {} }, has() { for (;;) {} } });
"x" in p;
