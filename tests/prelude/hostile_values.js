// ours
//> { a: 1, nested: { b: 2 } } [ 1, 2, 3 ] [Function: named] { a: 1, nested: { b: 2 } } Map(1) { 1 => 2 } [ { a: 1, nested: { b: 2 } } ] { proxy: { a: 1, nested: { b: 2 } } }
//> Proxy [
//>   { a: 1 },
//>   { get: [Function: boom] { [length]: 0, [name]: 'boom' } }
//> ]
//> <Revoked Proxy> [ <Revoked Proxy> ]
//> ┌─────────┐
//> │ (index) │
//> ├─────────┤
//> └─────────┘
//> {} Function {} { '0': 1 }
//> { a: [Getter], b: [Setter] } { [Symbol(Symbol.toStringTag)]: [Getter] } { constructor: [Getter] }
//> [ 1, 2, 3, [Getter], 5, 6, 7, 8 ]
//> {} [ {} ] [class (anonymous)]
//> {
//>   inspect: [Function: boom],
//>   toString: [Function: boom],
//>   valueOf: [Function: boom],
//>   toJSON: [Function: boom],
//>   then: [Function: boom],
//>   [Symbol(nodejs.util.inspect.custom)]: [Function: boom],
//>   [Symbol(Symbol.toPrimitive)]: [Function: boom]
//> }
//> Error
//>     at ... {
//>   code: [Getter],
//>   [cause]: [Getter]
//> } [
//>   Error
//>     at ... {
//>     code: [Getter],
//>     [cause]: [Getter]
//>   }
//> ]
//> true
//> EvilError: x
//>     at ...
//> [object]: [object]
//>     at ... {
//>   name: { toString: [Function: boom] }
//> }
//> Map(1) { 1 => 2, [Symbol(Symbol.iterator)]: [Function: boom] } Set(1) { 1, [Symbol(Symbol.iterator)]: [Function: boom] }
//> ┌───────────────────┬─────┬────────┐
//> │ (iteration index) │ Key │ Values │
//> ├───────────────────┼─────┼────────┤
//> │ 0                 │ 1   │ 2      │
//> └───────────────────┴─────┴────────┘
//> ┌───────────────────┬────────┐
//> │ (iteration index) │ Values │
//> ├───────────────────┼────────┤
//> │ 0                 │ 1      │
//> └───────────────────┴────────┘
//> Uint8Array(2) [ 0, 0 ]
//> Uint8Array(2) [
//>   0,
//>   0,
//>   [BYTES_PER_ELEMENT]: 1,
//>   [length]: 2,
//>   [byteLength]: 2,
//>   [byteOffset]: 0,
//>   [buffer]: ArrayBuffer { [byteLength]: 2 },
//>   [length]: [Getter],
//>   [buffer]: [Getter]
//> ]
//> ArrayBuffer { [Uint8Contents]: <00>, [byteLength]: 1 }
//> DataView {
//>   [byteLength]: 1,
//>   [byteOffset]: 0,
//>   [buffer]: ArrayBuffer { [Uint8Contents]: <00>, [byteLength]: 1 }
//> }
//> /x/g
//> 1970-01-01T00:00:00.000Z {
//>   valueOf: [Function: boom],
//>   getTime: [Function: boom],
//>   toISOString: [Function: boom]
//> }
//> Promise { 1, then: [Function: boom] }
//> [String: 'abc'] {
//>   toString: [Function: boom],
//>   valueOf: [Function: boom]
//> }
//> 1
//> ┌─────────┬──────────┬───┬──────────┐
//> │ (index) │ a        │ b │ nested   │
//> ├─────────┼──────────┼───┼──────────┤
//> │ 0       │ [Getter] │ 1 │          │
//> │ 1       │ 1        │   │ { b: 2 } │
//> └─────────┴──────────┴───┴──────────┘
//> ┌─────────┐
//> │ (index) │
//> ├─────────┤
//> │ r       │
//> └─────────┘
//> ┌─────────┬───┐
//> │ (index) │ a │
//> ├─────────┼───┤
//> │ 0       │   │
//> └─────────┴───┘
//> { a: 1 }
//> { a: { b: 1 } }
//> { x: [Getter] }
//> Assertion failed { a: 1, nested: { b: 2 } }
//> { a: 1, nested: { b: 2 } }
//> { toString: [Function: boom] } NaN NaN NaN { toJSON: [Function: boom] }
//> { a: [Getter] } %s 1
//> { toString: [Function: boom] }: 1
//> { toString: [Function: boom] }: 0ms
//> Symbol(x) %d
//> Symbol(c): 1
//> {
//>   a: 1
//> }
//> [  ]
//> { a: [Getter: <Inspection threw (boom)>] }
//> ┌─────────┬───────────┬───┐
//> │ (index) │ Symbol(x) │ 1 │
//> ├─────────┼───────────┼───┤
//> │ 0       │           │   │
//> └─────────┴───────────┴───┘
//> ran 0
// Values made to run code, to throw, or to be looked at in ways they should not be.
let ran = 0; const boom = () => { ran++; throw new Error("boom"); };
const traps = new Proxy({}, { get() { return boom; } });
const proxy = new Proxy({ a: 1, nested: { b: 2 } }, traps), list = new Proxy([1, 2, 3], traps), fn = new Proxy(function named() {}, traps), twice = new Proxy(proxy, traps), map = new Proxy(new Map([[1, 2]]), traps);
console.log(proxy, list, fn, twice, map, [proxy], { proxy });
console.log("%o", new Proxy({ a: 1 }, { get: boom }));
const revoked = Proxy.revocable({}, {}); revoked.revoke(); console.log(revoked.proxy, [revoked.proxy]); console.table(revoked.proxy);
console.log(Object.create(proxy), Object.create(new Proxy(class A {}, traps)), Object.setPrototypeOf([1], proxy));
console.log({ get a() { return boom(); }, set b(v) { boom(); } }, { get [Symbol.toStringTag]() { return boom(); } }, { get constructor() { return boom(); } });
const sevens = [1, 2, 3, 4, 5, 6, 7, 8]; Object.defineProperty(sevens, 3, { get: boom, enumerable: true }); console.log(sevens);
class Tag { get [Symbol.toStringTag]() { return boom(); } static get name() { return boom(); } static [Symbol.hasInstance]() { return boom(); } } console.log(new Tag(), [new Tag()], Tag);
console.log({ [Symbol.for("nodejs.util.inspect.custom")]: boom, inspect: boom, toString: boom, valueOf: boom, toJSON: boom, then: boom, [Symbol.toPrimitive]: boom });
const e = new Error("real"); for (const k of ["message", "name", "cause", "errors", "code"]) Object.defineProperty(e, k, { get: boom, enumerable: k === "code" }); Object.defineProperty(e, "stack", { get: boom }); console.log(e, [e]);
class EvilError extends Error { get name() { return boom(); } get message() { return boom(); } } console.log(new EvilError("x").constructor === EvilError); const shown = new EvilError("x"); console.log(shown);
const objName = new Error("n"); objName.name = { toString: boom }; Object.defineProperty(objName, "message", { value: { toString: boom } }); console.log(objName);
const m = new Map([[1, 2]]); m[Symbol.iterator] = boom; Object.defineProperty(m, "size", { get: boom }); const s = new Set([1]); s[Symbol.iterator] = boom; console.log(m, s); console.table(m); console.table(s);
const u8 = new Uint8Array(2); Object.defineProperty(u8, "length", { get: boom }); Object.defineProperty(u8, "buffer", { get: boom }); console.log(u8); console.log("%o", u8); const buf = new ArrayBuffer(1); Object.defineProperty(buf, "byteLength", { get: boom }); console.log(buf); console.log("%o", new DataView(new ArrayBuffer(1)));
const re = /x/g; for (const k of ["source", "flags", "exec", "global"]) Object.defineProperty(re, k, { get: boom }); console.log(re); const d = new Date(0); d.toISOString = d.getTime = d.valueOf = boom; console.log(d);
const p = Promise.resolve(1); p.then = boom; console.log(p); const boxed = new String("abc"); boxed.valueOf = boxed.toString = boom; console.log(boxed); const url = new URL("http://a/"); for (const k of ["href", "origin"]) Object.defineProperty(url, k, { get: boom }); console.log([url].length);
console.table([{ get a() { return boom(); }, b: 1 }, proxy]); console.table({ r: traps }); console.table([1], new Proxy(["a"], traps)); console.dir({ a: 1 }, new Proxy({ depth: 0 }, traps)); console.dir({ a: { b: 1 } }, { get depth() { return boom(); } });
console.group({ get x() { return boom(); } }); console.groupEnd(); console.assert(false, proxy); console.error(proxy);
const before = ran;
console.log("%s %d %i %f %j", { toString: boom }, { valueOf: boom }, { toString: boom }, { toString: boom }, { toJSON: boom }); console.log("%j", { get a() { return boom(); } }, "%s", 1); console.count({ toString: boom }); console.time({ toString: boom }); console.timeEnd({ toString: boom }); console.countReset({ toString: boom }); console.log("%s", Symbol("x"), "%d"); console.time(Symbol("t")); console.count(Symbol("c"));
console.dir({ a: 1 }, { sorted: boom, compact: boom, depth: "x", breakLength: {}, maxArrayLength: -5, maxStringLength: Symbol("q") }); console.dir([1, 2, 3], { maxArrayLength: NaN }); console.dir({ get a() { return boom(); } }, { getters: true }); console.table([1], [Symbol("x"), {}, 1]);
console.log("ran", before);
