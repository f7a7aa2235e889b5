// title: WeakMap, generator, WeakRef: not data
// expect: value:["TypeError","TypeError","TypeError"]
const names = [];
for (const v of [new WeakMap(), (function* () {})(), new WeakRef({})]) { try { await host.echo({ v }); names.push("crossed"); } catch (e) { names.push(e.name); } }
return names;
