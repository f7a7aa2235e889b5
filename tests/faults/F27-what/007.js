// title: one failure locks nothing: the next call works
// expect: value:["it is broken","ok"]
const said = [];
try { await host.fails(); } catch (e) { said.push(e.message); }
said.push(await host.ok());
said
