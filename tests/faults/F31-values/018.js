// title: plain data stays plain
// expect: value:{"a":[1,2.5,"x",null,true,{"b":"é😀\u0000\n"}],"c":-7,"d":9007199254740991,"e":1e300}
return { a: [1, 2.5, "x", null, true, { b: "é😀\0\n" }], c: -7, d: 2 ** 53 - 1, e: 1e300 };
