// title: in a literal it is the prototype: nothing of it crosses
// expect: value:[0,{"$type":"undefined"}]
const back = await host.echo({ "__proto__": { "a": 1 } });
[Object.keys(back).length, back.a]
