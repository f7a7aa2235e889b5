// title: console.log asks an own toString
// limits: wall=150
// expect: deadline
console.log("%s", { toString() { for (;;) {} } });
