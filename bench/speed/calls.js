// Calls, properties, closures, classes: what programs mostly do.
(function () {
  function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
  class Point {
    constructor(x, y) { this.x = x; this.y = y; }
    add(other) { return new Point(this.x + other.x, this.y + other.y); }
    get sum() { return this.x + this.y; }
  }
  function counter() { let n = 0; return { step() { return ++n; } }; }
  let sum = fib(25);
  let at = new Point(0, 0);
  const one = new Point(1, 2);
  for (let i = 0; i < 150000; i++) at = at.add(one);
  sum += at.sum;
  const c = counter();
  for (let i = 0; i < 300000; i++) sum += c.step() & 1;
  const list = [];
  for (let i = 0; i < 50000; i++) list.push({ id: i, group: i % 7, size: i & 15 });
  const groups = {};
  for (const item of list) groups[item.group] = (groups[item.group] || 0) + item.size;
  sum += list.filter(i => i.size > 7).map(i => i.id).reduce((a, b) => a + b, 0);
  return sum + groups[3];
})()
