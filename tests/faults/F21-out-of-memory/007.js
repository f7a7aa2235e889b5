// title: a getter that asks itself
// expect: js-error:RangeError
const o = { get a() { return this.a; } };
o.a;
