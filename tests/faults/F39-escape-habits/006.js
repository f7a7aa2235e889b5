// title: __proto__ is a plain key on the way out and back
// expect: value:[true,true,{"$type":"undefined"}]
const back = await host.echo(JSON.parse('{"__proto__":{"a":1}}'));
[Object.hasOwn(back, "__proto__"), Object.getPrototypeOf(back) === Object.prototype, back.a]
