// title: an error with its cause and members
// expect: value:["TypeError","m",1,"x",true]
const e = await host.echo(new TypeError("m", { cause: 1 }));
const f = await host.echo(Object.assign(new Error("n"), { code: "x" }));
return [e.name, e.message, e.cause, f.code, e instanceof TypeError];
