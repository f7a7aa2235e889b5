// title: a null prototype, frozen, sealed: data
// expect: value:[{"a":1},[1],{"b":2}]
return [Object.assign(Object.create(null), { a: 1 }), Object.freeze([1]), Object.seal({ b: 2 })];
