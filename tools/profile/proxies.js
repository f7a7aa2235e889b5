const target = { a: 1 };
const proxy = new Proxy(target, {
  get: (o, k, r) => Reflect.get(o, k, r), set: (o, k, v) => Reflect.set(o, k, v),
  has: () => true, ownKeys: (o) => Reflect.ownKeys(o),
});
let n = 0;
for (let i = 0; i < 20000; i++) {
  proxy.a = i;
  n += proxy.a + ("b" in proxy ? 1 : 0);
}
for (let i = 0; i < 3000; i++) {
  const o = {};
  Object.defineProperty(o, "x", { get() { return i; }, enumerable: true, configurable: true });
  n += o.x + Object.keys(Object.freeze({ ...o })).length + Object.getOwnPropertyNames(o).length;
  delete o.x;
}
return n;
