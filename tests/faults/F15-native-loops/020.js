// limits: wall=150
// expect: deadline or memory-limit or js-error:any
let shared = ["x"];
for (let i = 0; i < 40; i++) shared = [shared, shared];
console.log(String(shared));
