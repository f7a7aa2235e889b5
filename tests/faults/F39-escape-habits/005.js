// expect: value:true
host["__proto__"] === Object.prototype || host["__proto__"] === null
