// title: a clone of a very deep value ends as an error, not in the engine
// expect: js-error:any
let a = [1];
for (let i = 0; i < 1e5; i++) a = [a];
return structuredClone(a);
