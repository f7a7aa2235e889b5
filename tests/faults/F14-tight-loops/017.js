// title: valueOf, toPrimitive
// limits: wall=150
// expect: deadline
+{ [Symbol.toPrimitive]() { for (;;) {} } };
