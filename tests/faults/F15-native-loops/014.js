// limits: wall=150
// expect: deadline or js-error:any
String.raw({ raw: { length: 2 ** 53 - 1 } });
