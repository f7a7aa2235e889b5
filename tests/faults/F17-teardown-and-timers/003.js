// limits: wall=1
// expect: deadline
for (;;);
