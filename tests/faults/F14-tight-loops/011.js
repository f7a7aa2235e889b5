// title: in finally, after the deadline was in the body
// limits: wall=150
// expect: deadline
try { for (;;) {} } finally { for (;;) {} }
