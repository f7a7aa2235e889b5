// title: structuredClone asks a getter
// limits: wall=150
// expect: deadline
structuredClone({ get a() { for (;;) {} } });
