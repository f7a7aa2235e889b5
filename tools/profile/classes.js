class Shape { #area = 0; static made = 0; constructor(a) { this.#area = a; Shape.made++; } get area() { return this.#area; } set area(a) { this.#area = a; } }
class Square extends Shape { side; constructor(s) { super(s * s); this.side = s; } scaled(f = 2, ...more) { return new Square(this.side * f + more.length); } [Symbol.toPrimitive]() { return this.area; } }
let n = 0;
for (let i = 0; i < 5000; i++) {
  const square = new Square(i % 9).scaled(i % 3, i, i);
  const { side, area = 1, ...rest } = square, [a, , b = 3, ...c] = [side, i, undefined, i];
  n += square + (square instanceof Shape ? 1 : 0) + a + b + c.length + Object.keys(rest).length;
  try { if (i % 5 === 0) throw new RangeError("no " + i, { cause: i }); n++; } catch (error) { n += error.message.length; } finally { n++; }
  label: for (const key in { x: 1, y: 2 }) { switch (key) { case "x": continue label; default: n += key.length; } }
  n += ((...args) => args.reduce((x, y) => x + y, 0)).apply(null, [i, 2]) + Math.hypot(i, 3) % 2 + Math.max(...c, 1);
}
return n;
