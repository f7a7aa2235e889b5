// title: a static block
// limits: wall=150
// expect: deadline
class C { static { for (;;) {} } }
