// limits: wall=150
// expect: deadline
while (true) {}
