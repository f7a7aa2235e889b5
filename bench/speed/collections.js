// Map, Set, and what is sorted and grouped with them.
(function () {
  const map = new Map(), set = new Set(), weak = new WeakMap();
  let sum = 0;
  for (let i = 0; i < 60000; i++) map.set('key' + i % 9000, (map.get('key' + i % 9000) || 0) + i);
  for (let i = 0; i < 60000; i++) set.add(`${(i * 7919) % 10007}`);
  for (let i = 0; i < 60000; i++) set.add(i % 500);
  for (const [key, value] of map) sum += value % 10 + key.length;
  for (const value of set) sum += +value & 1;
  for (let i = 0; i < 60000; i++) if (set.has(i + '')) sum++;
  for (let i = 0; i < 10000; i += 3) set.delete(i + '');
  const keys = [];
  for (let i = 0; i < 15000; i++) { const key = {}; keys.push(key); weak.set(key, i); }
  for (const key of keys) sum += weak.get(key) & 3;
  const sorted = [...map].sort((a, b) => b[1] - a[1]);
  return sum + set.size + sorted[5][1];
})()
