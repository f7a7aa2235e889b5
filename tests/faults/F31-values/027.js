// title: boxed primitives
// expect: value-any or js-error:TypeError
return [new Number(1), new String("s"), new Boolean(false), Object(1n)];
