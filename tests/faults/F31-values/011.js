// title: the same on the way to the host and back
// expect: value:[true,true,true,true]
const back = await host.echo({ a: undefined, b: 2n ** 64n, c: "\ud800", d: 2 ** 53 + 2, e: "\0" });
return ["a" in back && back.a === undefined, back.b === 2n ** 64n, back.c === "\ud800" && back.e === "\0", back.d === 2 ** 53 + 2];
