// title: numbers at the edges
// expect: value:[9007199254740991,-9007199254740991,5e-324,1.7976931348623157e308,0.1,0]
return [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, Number.MIN_VALUE, Number.MAX_VALUE, 0.1, 0];
