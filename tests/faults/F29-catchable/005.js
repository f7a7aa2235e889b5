// title: an argument that cannot cross rejects with its path
// expect: value:["TypeError",true]
try { await host.echo({ a: [1, () => 1] }); } catch (e) { return [e.name, e.message.includes("a[1]")]; }
