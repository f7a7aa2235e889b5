const a = new Set(), b = new Set();
for (let i = 0; i < 3000; i++) (a.add(i * 3), b.add(i * 5));
let n = 0;
for (let i = 0; i < 20; i++) {
  n += a.union(b).size + a.intersection(b).size + a.difference(b).size;
  n += a.symmetricDifference(b).size + (a.isSubsetOf(b) ? 1 : 0);
}
const weak = new WeakMap(), groups = Map.groupBy(a, (x) => x % 10);
for (const [, list] of groups) weak.set(list, list.length);
for (const key of groups.keys()) n += weak.get(groups.get(key));
return n;
