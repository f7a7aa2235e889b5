// title: keys in their order, odd ones too
// expect: value:[["1","b","a","","__proto__","constructor"],true]
const o = JSON.parse('{"b":1,"1":2,"a":3,"":4,"__proto__":5,"constructor":6}');
const back = await host.echo(o);
return [Object.keys(back), Object.getPrototypeOf(back) === Object.prototype];
