interface Named { name: string }
abstract class Base<T> implements Named {
  static count: number = 0;
  declare ghost: string;
  abstract kind(): string;
  protected readonly list: T[] = [];
  optional?: string;
  definite!: number;
  [key: string]: unknown;
  constructor(public name: string, protected readonly size: number = 2, plain?: boolean) { Base.count += plain ? 1 : 2; }
  overloaded(a: string): string;
  overloaded(a: number): number;
  overloaded(a: any): any { return a; }
  get first(): T | undefined { return this.list[0]; }
  set first(v: T | undefined) { this.list[0] = v!; }
  method?(this: Base<T>, a?: number): void { console.log(this.name, a); }
}
class Derived extends Base<string> {
  field = "f";
  constructor(private x = 5, ...rest: string[]) {
    const n: string = rest.join("+");
    super(n, 3);
    console.log(this.x, this.field);
  }
  override kind(): string { return `${this.name}:${this.size}:${this.x}`; }
  static async *gen<T>(this: void, x: T): AsyncGenerator<T> { yield x }
}
class Tried extends Base<number> { constructor(public y: number) { try { super("t") } finally { } } kind() { return "t" + this.y } }
class Lines { constructor(
    public a: number,
    private b: string
  ) { } show() { return this.a + this.b } }
class Fields {
  get: number
  set?: string
  static: boolean
  foo() { return 1 }
  x = 1
  private ["y"] = 2
  z = 3
  public *gen() { yield 1 }
}
const d = new Derived(7, "p", "q");
d.first = "one";
d.method?.(1);
console.log(d.kind(), d.first, d.overloaded(3), Object.keys(d), Base.count);
console.log(new Tried(4).kind(), Object.keys(new Lines(1, "b")), new Lines(1, "b").show());
console.log(Object.keys(new Fields()), [...new Fields().gen()], new Fields().foo());
for await (const v of Derived.gen("g")) console.log(v);
const Expression = class Inner<T> extends (Base as any)<T> { constructor(readonly q: T) { super("e"); } who() { return Inner.name } };
console.log(new Expression(1).q, new Expression(2).who());
