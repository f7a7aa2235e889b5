/* structuredClone, with transfer. Snippets call the function itself. */
#include <string.h>

#include "values.h"

static JSValue structured_clone(JSContext *ctx, JSValueConst self, int count, JSValueConst *values)
{
    (void)self;
    return value_clone(ctx, count > 0 ? values[0] : JS_UNDEFINED,
                       count > 1 ? values[1] : JS_UNDEFINED);
}

static void test_kinds(Checks *c)
{
    holds(c, "[1, 'a', null, undefined, true, 5n, -0].every(x => Object.is(clone(x), x))");
    holds(c, "const o = {a: [1, {b: 2}], 5: 1}; const q = clone(o); q !== o && q.a !== o.a && "
             "JSON.stringify(q) === JSON.stringify(o)");
    holds(c, "const me = {}; me.me = me; const mc = clone(me); mc.me === mc && mc !== me");
    holds(c, "const sh = {}; const [s1, s2] = clone([sh, sh]); s1 === s2 && s1 !== sh");
    holds(c, "const sp = clone([1,,3]); !(1 in sp) && sp.length === 3");
    holds(c, "const far = clone(new Array(1e9)); far.length === 1e9");
    holds(c, "const ex = [1]; ex.extra = {x: 1}; clone(ex).extra.x === 1");
    holds(c, "const m = clone(new Map([[{k: 1}, new Set([1, 'x'])]])); m instanceof Map && "
             "[...m][0][0].k === 1 && [...m][0][1].has('x')");
    holds(c, "const d = clone(new Date(5)); d instanceof Date && d.getTime() === 5");
    holds(c, "const re = /a\\/(b)/gi; re.lastIndex = 3; const rc = clone(re); rc.source === "
             "re.source && rc.flags === 'gi' && rc.lastIndex === 0 && rc !== re");
    holds(c, "const bx = clone(Object('s')); typeof bx === 'object' && bx.valueOf() === 's'");
    holds(c, "const n1 = Object(1); const [n2, n3] = clone([n1, n1]); n2 === n3 && n2 + 1 === 2");
    holds(c,
          "class P { #x = 1; y = 2; get z() { return 3 } }; const pc = clone(new P()); pc.y === 2 "
          "&& !(pc instanceof P) && pc.z === undefined");
    holds(c, "clone({get g() { return 7 }}).g === 7");
    holds(c, "JSON.stringify(clone({[Symbol('s')]: 1, a: 1})) === '{\"a\":1}'");
    holds(c, "Object.hasOwn(clone(JSON.parse('{\"__proto__\": {\"x\": 1}}')), '__proto__')");
    holds(c, "(function () { return JSON.stringify(clone(arguments)) })(1, 2) === "
             "'{\"0\":1,\"1\":2}'");
}

static void test_error_kinds(Checks *c)
{
    holds(c, "const te = new RangeError('m', {cause: {c: 1}}); const ec = clone(te); ec instanceof "
             "RangeError && ec.message === 'm' && ec.stack === te.stack && ec.cause.c === 1 && "
             "!Object.keys(ec).length && ec !== te");
    holds(c, "const od = new Error('m'); od.name = 'Odd'; od.extra = 1; const oc = clone(od); "
             "oc.name === 'Error' && oc.extra === undefined");
    holds(c, "const ag = clone(new AggregateError([new TypeError('x')], 'g')); ag.errors[0] "
             "instanceof TypeError");
    holds(c, "const dx = clone(new DOMException('m', 'AbortError')); dx instanceof DOMException && "
             "dx.name === 'AbortError' && dx.message === 'm' && dx.code === 20");
    holds(c, "const cy = new Error('c'); cy.cause = cy; const cc = clone(cy); cc.cause === cc");
}

static void test_buffers(Checks *c)
{
    holds(c, "const ab = new ArrayBuffer(8); const [v1, v2, v3] = clone([new Uint8Array(ab, 2, 4), "
             "new Uint16Array(ab), new DataView(ab, 1)]); v1[0] = 9; v1.buffer === v2.buffer && "
             "v2.buffer === v3.buffer && v2[1] === 9 && v1.length === 4 && v1.byteOffset === 2 && "
             "v3.byteLength === 7 && v1.buffer !== ab && new Uint8Array(ab)[2] === 0");
    holds(c, "const rb = clone(new ArrayBuffer(2, {maxByteLength: 8})); rb.resizable && "
             "rb.maxByteLength === 8 && (rb.resize(8), rb.byteLength === 8)");
    holds(c, "const tr = new Uint8Array(new ArrayBuffer(2, {maxByteLength: 8})); const tc = clone("
             "tr); tc.buffer.resize(5); tc.length === 5");
    holds(c, "[Int8Array, Float16Array, Float32Array, BigInt64Array, Uint8ClampedArray].every(T => "
             "clone(new T(3)) instanceof T)");
}

static void test_refusals(Checks *c)
{
    JS_FreeValue(c->ctx,
                 eval(c, "globalThis.fails = (f, name, text = '') => { try { f() } catch (e) "
                         "{ return e.name === name && e.message.includes(text) } return "
                         "false }; undefined"));
    holds(c, "fails(() => clone(() => 1), 'DataCloneError', 'a function could not be cloned')");
    holds(c, "fails(() => clone({a: [Symbol('q')]}), 'DataCloneError', 'Symbol(q)')");
    holds(c, "fails(() => clone(Promise.resolve()), 'DataCloneError', 'Promise')");
    holds(c, "fails(() => clone(new Proxy({}, {})), 'DataCloneError', 'Proxy')");
    holds(c, "fails(() => clone(new WeakMap()), 'DataCloneError')");
    holds(c, "fails(() => clone([].values()), 'DataCloneError')");
    holds(c, "fails(() => clone(Object(Symbol())), 'DataCloneError')");
    holds(c,
          "try { clone(Symbol()); false } catch (e) { e instanceof DOMException && e.code === 25 "
          "}");
    holds(c, "fails(() => clone({get a() { throw new TypeError('mine') }}), 'TypeError', 'mine')");
    holds(c, "fails(() => clone(1, 5), 'TypeError', 'options')");
    holds(c, "fails(() => clone(1, {transfer: 5}), 'TypeError')");
    holds(c,
          "const dt = new ArrayBuffer(1); dt.transfer(); fails(() => clone(dt), 'DataCloneError')");
    holds(c,
          "let nest = []; for (let i = 0; i < 200000; i++) nest = [nest]; fails(() => clone(nest),"
          " 'RangeError', 'call stack')");
}

static void test_transfer(Checks *c)
{
    holds(c,
          "const t1 = new ArrayBuffer(4); new Uint8Array(t1)[1] = 7; const r1 = clone({t1, v: new "
          "Uint8Array(t1, 1)}, {transfer: [t1]}); t1.detached && r1.t1.byteLength === 4 && r1.v[0] "
          "=== 7 && r1.v.buffer === r1.t1");
    holds(c, "const t2 = new ArrayBuffer(4); clone(1, {transfer: new Set([t2])}) === 1 && "
             "t2.detached");
    holds(c, "const t3 = new ArrayBuffer(4, {maxByteLength: 16}); const r3 = clone(t3, {transfer: "
             "[t3]}); r3.resize(16); r3.byteLength === 16");
    holds(c, "const t4 = new ArrayBuffer(4); fails(() => clone({f() {}, t4}, {transfer: [t4]}), "
             "'DataCloneError') && !t4.detached && new Uint8Array(t4).fill(3)[3] === 3");
    holds(c, "const t5 = new ArrayBuffer(4); fails(() => clone(t5, {transfer: [t5, t5]}), "
             "'DataCloneError', 'each once') && !t5.detached");
    holds(c, "fails(() => clone(1, {transfer: [{}]}), 'DataCloneError', 'only ArrayBuffers') && "
             "fails(() => clone(1, {transfer: [1]}), 'DataCloneError')");
    holds(c,
          "const t6 = new ArrayBuffer(4); t6.transfer(); fails(() => clone(t6, {transfer: [t6]}),"
          " 'DataCloneError')");
    /* Getters that change what was lent. */
    holds(c,
          "const t7 = new ArrayBuffer(4), u7 = new ArrayBuffer(4); fails(() => clone({u7, v: new "
          "Uint8Array(t7), get x() { t7.transfer(); return 1 }}, {transfer: [u7, t7]}), "
          "'DataCloneError', 'changed') && t7.detached && !u7.detached");
    holds(c, "const t8 = new ArrayBuffer(4, {maxByteLength: 4096}); fails(() => clone({v: new "
             "Uint8Array(t8), get x() { t8.resize(4096); return 1 }}, {transfer: [t8]}), "
             "'DataCloneError') && t8.byteLength === 4096");
    holds(c,
          "const t9 = new ArrayBuffer(8, {maxByteLength: 8}); fails(() => clone({b: t9, get x() { "
          "t9.resize(1); return 1 }, v: new Uint8Array(t9, 4)}), 'DataCloneError')");
}

/* Getters that pull the rug: what was met is held, what is gone is skipped. */
static void test_changing(Checks *c)
{
    holds(c, "const o1 = {get a() { delete this.b; return 1 }, b: 2, c: 3}; Object.keys(clone(o1))"
             ".join() === 'a,c'");
    holds(c, "const m1 = new Map([[1, {get x() { m1.clear(); return 1 }}], [2, {y: 2}]]); "
             "clone(m1).get(2).y === 2");
    holds(c, "const a1 = [{get x() { a1.length = 0; return 1 }}, {z: 1}]; clone(a1).length === 1");
    holds(c,
          "for (let i = 0; i < 50; i++) { const w = {get a() { return {n: {get b() { return [1, 2] "
          "}}} }, get c() { return {d: 1} }}; const k = clone([w, w]); if (k[0].a.n.b[1] !== 2 || "
          "k[0].c.d !== 1) throw 'mixed' } true");
}

void test_clone(Checks *c)
{
    JSValue global = JS_GetGlobalObject(c->ctx);

    JS_SetPropertyStr(c->ctx, global, "clone",
                      JS_NewCFunction(c->ctx, structured_clone, "structuredClone", 1));
    JS_FreeValue(c->ctx, global);
    test_kinds(c);
    test_error_kinds(c);
    test_buffers(c);
    test_refusals(c);
    test_transfer(c);
    test_changing(c);
}
