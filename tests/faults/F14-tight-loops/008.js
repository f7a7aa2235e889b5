// limits: wall=150
// expect: deadline
JSON.stringify({ toJSON() { for (;;) {} } });
