const log = (x: unknown): void => console.log(JSON.stringify(x));
const f = (a: any): any => a, y = 2, c = 3, d = 4;
let one = y as any
(f)(1)
let two = y as number
[0].forEach(() => {})
let three = y satisfies number
`template`.length
const four = y + c as any * d;
log([one, two, three, four]);
const five = (a: number):
  number => a + 1;
const six = async <
  T,
>(x: T) => x;
function seven() { return <
  T>(x: T) => x; }
function eight() { return <
  any>5; }
const nine = () => <any>{ a: 1 };
const ten = () => <any>{ a: { b: 2 } }.a.b;
let eleven: any;
({ eleven } as any) = { eleven: 11 };
[(eleven as any), <any>eleven] = [1, 12];
(<any>eleven)++;
(eleven as any)!++;
log([five(1), await six(2), seven()(3), eight(), nine(), ten(), eleven]);
let twelve = f
type A = number
(1, log("apart"))
let thirteen = f
interface B { }
[1].map(log);
let fourteen = f
declare const zzz: number
`x`
if (one) type Q = 1; else log("else");
label: for (let i: number = 0; i < 2; i++) { if (i) continue label; log(i); }
const o = { m<T>(this: any, x?: T): T { return x! }, get g(): number { return 1 }, set g(v: number) { }, async *[("k" as string)]<T>() { }, a: <T,>(x: T) => x };
log([o.m(5), o.g, o.a(1)!, o?.m?.<number>(3)]);
const g = <T,>(x: T) => x, h = g<string>, i = new Map<string, Array<Set<number>>>();
log([h("h"), i.size, f<any>(1) < 2, f < 1, (f) > 2]);
/* ünïcode */ let é: "ü😀" | string = "é"; log(é); let 日本: /* 語 */ { "日": "本" } = null!; log(日本);
try { throw 1 } catch (e: unknown) { log(e as number) }
const s = `a${(y as number)!}b${<any>c}` as const;
log(s);
let v = y!
log(v)
let w: typeof y extends number ? 1 : 2
(log)("w")
