// title: call, apply, bind, Reflect, a subclass: the same call and no more
// expect: value:["ok","ok","ok","TypeError"]
let name;
try { new host.ok(); } catch (e) { name = e.name; }
[await host.ok.call(null), await Reflect.apply(host.ok, globalThis, []), await host.ok.bind({})(), name]
