// title: recursion through natives: each is a RangeError that can be caught
// limits: wall=5000
// expect: value:["RangeError","RangeError","RangeError","RangeError","RangeError","RangeError","RangeError","RangeError"]
const to = { toString() { return `${to}`; } };
const json = { toJSON() { return JSON.stringify(json); } };
const proxy = new Proxy({}, { get(t, k, r) { return r[k]; } });
const bound = () => again(); const again = bound.bind(null);
const sorted = () => [2, 1].sort(sorted);
const replaced = () => "a".replace(/a/, replaced);
const mapped = () => [1].map(mapped);
class Deep { constructor() { Reflect.construct(Deep, []); } }
[() => String(to), () => JSON.stringify(json), () => proxy.x, bound, sorted, replaced, mapped, () => new Deep()]
  .map((f) => { try { f(); return "none"; } catch (e) { return e.name; } })
