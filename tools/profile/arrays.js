const list = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 5003);
let n = 0;
for (let i = 0; i < 5; i++) {
  n += list.toSorted((a, b) => a - b)[7] + [...list].sort()[3] + list.toReversed().indexOf(77);
  n += list.map(String).filter((s) => s.includes("1")).join("-").length + list.slice(10, -10).length;
  n += list.reduce((a, b) => a + b) + list.findLast((x) => x < 9) + list.flatMap((x) => [x, x]).length;
  n += list.concat(list).lastIndexOf(5) + list.with(3, 4).toSpliced(1, 2, 9).length;
  n += list.some((x) => x < 0) || list.every((x) => x >= 0) ? 1 : 0;
}
const queue = [];
for (let i = 0; i < 3000; i++) (queue.push(i), queue.unshift(i), queue.splice(3, 1, i, i));
while (queue.length) n += queue.shift() + (queue.pop() ?? 0);
return n + [[1, [2]], [3]].flat(3).length;
