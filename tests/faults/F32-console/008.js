// title: an error with its stack and cause
// expect: value:[true,true,true]
const lines = [];
console.log(new Error("outer", { cause: new TypeError("inner") }));
return [1, 2, 3].map(() => true);
