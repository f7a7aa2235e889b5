// limits: wall=150
// expect: deadline
({ toString() { for (;;) {} } }) + "";
