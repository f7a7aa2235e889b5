// title: a patched JSON and Array change nothing
// expect: value:[1,{"a":[2]}]
JSON.stringify = () => "no"; Array.prototype.toJSON = () => "no"; Object.prototype.toJSON = () => "no";
Array.prototype[Symbol.iterator] = () => { throw 1; };
return [1, { a: [2] }];
