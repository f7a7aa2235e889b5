// limits: wall=150
// expect: deadline
({ get a() { for (;;) {} } }).a;
