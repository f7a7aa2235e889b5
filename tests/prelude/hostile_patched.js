// ours
//> leaks 0 undefined undefined
// Everything a program can reach is patched to tell on whoever calls it; nobody may.
const touched = [];
const realPush = Array.prototype.push, apply = Reflect.apply, ownKeys = Reflect.ownKeys, define = Object.defineProperty, describe = Reflect.getOwnPropertyDescriptor;
const note = (name) => { touched[touched.length] = name; };
const shout = console.log; const realIncludes = String.prototype.includes;
const holders = { Array, String, Number, Boolean, BigInt, Symbol, Object, Function, RegExp, Date, Map, Set, WeakMap, WeakSet, Promise, Error, TypeError, RangeError, ArrayBuffer, DataView, Uint8Array, JSON, Math, Reflect, URL, URLSearchParams, TextEncoder, TextDecoder, EventTarget, Event, AbortSignal, AbortController, Iterator };
function patch(object, path) {
  for (const key of ownKeys(object)) {
    if (key === "constructor" || key === "prototype" || key === Symbol.hasInstance) continue;
    const d = describe(object, key);
    const name = path + "." + String(key);
    if (!d.configurable) continue;
    if (typeof d.value === "function") define(object, key, { ...d, value: function (...a) { note(name); return new.target ? new d.value(...a) : apply(d.value, this, a); } });
    else if (d.get) define(object, key, { ...d, get() { note(name); return apply(d.get, this, []); } });
  }
}
const iteratorProtos = [[][Symbol.iterator](), ""[Symbol.iterator](), new Map().entries(), new Set().values()].map(Object.getPrototypeOf);
const typed = Object.getPrototypeOf(Uint8Array);
const values = () => ({
  a: { a: [1, 2, { b: 1 }], m: new Map([[1, { x: 1 }]]), s: new Set([1]), u: new Uint8Array(2), e: Object.assign(new TypeError("t"), { code: 1 }), d: new Date(0), r: /x/g, f() {}, c: class K {}, p: Promise.resolve(1), n: new Number(1), i: new Map([[1, 2]]).entries() },
  list: Array.from({ length: 120 }, (_, i) => i), rows: [{ a: 1, b: "x" }, { a: 2 }], buf: new ArrayBuffer(3), url: new URL("http://a/b?c=d"), enc: new TextEncoder(), dec: new TextDecoder(), ctl: new AbortController(), ev: new Event("x"), w: new WeakMap(), long: "it's\n" + "x".repeat(90),
});
const v = values(), error = new Error("outer", { cause: new RangeError("inner") });
const labels = { map: new Map([[1, 2]]), set: new Set([1]), q: "http://h/p?q=1&r=2#z", bytes: new Uint8Array([0xc3, 0xa9]) };
for (const name of Object.keys(holders)) { if (holders[name].prototype) patch(holders[name].prototype, name + ".prototype"); }
for (const p of iteratorProtos) patch(p, "iterator"); patch(typed.prototype, "TypedArray.prototype");
for (const name of Object.keys(holders)) patch(holders[name], name);
touched.length = 0;
shout(v.a, v.list, v.buf); shout(error); shout(v.url, v.enc, v.dec, v.ctl, v.w); shout(v.long, { l: v.long });
shout("%s %d %i %f %j %o %O %c %%", "s", 1, 2.5, "3.5", { a: 1 }, [1], { o: 1 }, "css", "rest");
console.table(v.rows); console.table([[1, 2]], ["0"]); console.table(labels.map); console.table(labels.set); console.dir(v.a, { depth: 0 }); console.group("g"); console.log("a\nb"); console.groupEnd(); console.count(); console.countReset(); console.time(); console.timeLog(undefined, 1); console.timeEnd(); console.assert(false, "x %s", 1); console.error(new Error("x").message);
const u = new URL(labels.q); u.searchParams; u.pathname = "/a b/../c"; u.search = "?x=é"; u.host = "EXAMPLE.com:81"; const href = u.href;
const text = new TextDecoder().decode(labels.bytes), bytes = new TextEncoder().encode("é");
const id = crypto.randomUUID(), ac = new AbortController(); ac.signal; ac.abort(); (1234.5).toLocaleString(); new Date(0).toLocaleString();
const seen = touched; const count = seen.length;
// What this script itself called is no leak.
const leaks = []; for (let i = 0; i < count; i++) { let mine = false; for (const k of ["searchParams", "pathname", "search", "host", "href", ".decode", ".encode", "signal", "abort", "toLocaleString", "filter"]) if (apply(realIncludes, seen[i], [k])) mine = true; if (!mine) leaks[leaks.length] = seen[i]; }
shout("leaks", leaks.length, leaks[0], leaks[1]);
