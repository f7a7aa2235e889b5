// title: hostile things printed: no getter of the program's decides, nothing is thrown
// expect: value:"printed"
console.log({ get a() { throw new Error("asked"); } });
console.log(new Proxy({}, { get() { throw 1; }, ownKeys() { throw 2; }, getPrototypeOf() { throw 3; } }));
console.log(Object.defineProperty(new Error("e"), "stack", { get() { throw 1; } }));
console.log("%s", Object.create(null), "%d", Symbol("s"));
let deep = {}; for (let i = 0; i < 10000; i++) deep = { deep };
console.log(deep);
"printed"
