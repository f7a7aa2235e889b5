// title: members named by symbols, and hidden ones, stay
// expect: value:{"a":1}
return Object.defineProperty({ a: 1, [Symbol("s")]: 2 }, "hidden", { value: 3 });
