// title: with Symbol.species and a mapping
// limits: wall=150
// expect: deadline
class A extends Array { static get [Symbol.species]() { for (;;) {} } }
new A(1, 2, 3).map((x) => x);
