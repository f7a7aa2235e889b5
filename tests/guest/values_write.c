/* The bytes of each kind of value, and what is refused and how it is said. */
#include <stdio.h>
#include <string.h>

#include "values.h"

static void test_primitives(Checks *c)
{
    bytes_are(c, "undefined", "f7");
    bytes_are(c, "null", "f6");
    bytes_are(c, "[true, false]", "82 f5 f4");
    bytes_are(c, "[0, 23, 24, -1, -24, -25]", "86 00 17 1818 20 37 3818");
    bytes_are(c, "[2**31, -(2**31), 2**53 - 1, -(2**53) + 1]",
              "84 1a80000000 3a7fffffff 1b001fffffffffffff 3b001ffffffffffffe");
    bytes_are(c, "2**53", "fb 4340000000000000");
    bytes_are(c, "-0", "fb 8000000000000000");
    bytes_are(c, "1.5", "fb 3ff8000000000000");
    bytes_are(c, "1e300", "fb 7e37e43c8800759c");
    bytes_are(c, "[NaN, Infinity, -Infinity]",
              "83 fb7ff8000000000000 fb7ff0000000000000 fbfff0000000000000");
    bytes_are(c, "[0n, 1n, 255n, 256n]", "84 c240 c24101 c241ff c2420100");
    bytes_are(c, "[-1n, -256n, -257n]", "83 c340 c341ff c3420100");
    bytes_are(c, "2n**64n", "c2 49 010000000000000000");
    bytes_are(c, "-(2n**64n)", "c3 48 ffffffffffffffff");
    bytes_are(c, "2n**31n", "c2 44 80000000");
    bytes_are(c, "[Object(1), Object('a'), Object(true), Object(5n)]", "84 01 6161 f5 c24105");
}

static void test_text(Checks *c)
{
    bytes_are(c, "''", "60");
    bytes_are(c, "'a\\0b'", "63 610062");
    bytes_are(c, "'\\xe9'", "62 c3a9");
    bytes_are(c, "'\\u20ac'", "63 e282ac");
    bytes_are(c, "'\\u{1f600}'", "64 f09f9880");
    bytes_are(c, "'\\ud800'", "d90111 43 eda080");
    bytes_are(c, "'a\\udc00\\ud83d\\ude00\\ud83d'", "d90111 4b 61 edb080 f09f9880 eda0bd");
    bytes_are(c, "({'\\ud800': 1})", "a1 d90111 43eda080 01");
    /* Halves of a pair that meet where two pieces of a rope do. */
    holds(c, "globalThis.rope = 'x'.repeat(9000) + '\\ud83d'; rope += '\\ude00' + "
             "'y'.repeat(9000); rope.length === 18002");
    JSValue rope = eval(c, "rope");
    ValueLimits limits = {.bytes = 18007, .depth = 1};
    char message[VALUE_MESSAGE_MIN];
    check(c, write_with(c, rope, &limits, message) == VALUE_OK, "rope", message);
    check(c,
          c->out.length == 18007 && memcmp(c->out.data, "\x79\x46\x54xx", 5) == 0 &&
              memcmp(c->out.data + 3 + 9000, "\xf0\x9f\x98\x80y", 5) == 0,
          "rope", "has other bytes");
    JS_FreeValue(c->ctx, rope);
    comes_back(
        c,
        "let text = ''; for (let k = 0; k < 3000; k++) text = k % 50 ? text + 'q7\\xe9#\\u20ac' "
        ": 'q7#' + text; globalThis.before = text; text",
        "v === before");
}

static void test_objects(Checks *c)
{
    bytes_are(c, "[]", "80");
    bytes_are(c, "({})", "a0");
    bytes_are(c, "({b: 1, a: undefined, 10: 2, 9: 3})", "a4 6139 03 623130 02 6162 01 6161 f7");
    bytes_are(c, "({'id': 1, 'id\\0admin': 2})", "a2 626964 01 68 69640061646d696e 02");
    bytes_are(c, "JSON.parse('{\"__proto__\": {\"x\": 1}}')", "a1 695f5f70726f746f5f5f a1 6178 01");
    bytes_are(c, "({[Symbol('s')]: 1, a: 1})", "a1 6161 01");
    bytes_are(c, "Object.defineProperty({a: 1}, 'h', {value: 2})", "a1 6161 01");
    bytes_are(c, "new (class { #p = 1; x = 2 })()", "a1 6178 02");
    bytes_are(c, "Object.create({inherited: 1})", "a0");
    bytes_are(c, "[1,,3]", "83 01 f7 03");
    bytes_are(c, "new Array(3)", "83 f7f7f7");
    bytes_are(c, "let s = []; s[5] = 1; s[2] = 2; s", "86 f7f7 02 f7f7 01");
    bytes_are(c, "let e = [1]; e.extra = 5; e", "81 01");
    bytes_are(c, "(function () { return arguments })(1, 2)", "82 01 02");
    bytes_are(c, "(function (a) { a = 7; return arguments })(1, 2)", "82 07 02");
    bytes_are(c, "(function () { 'use strict'; return arguments })(1, 2)", "82 01 02");
    bytes_are(c, "(function () { arguments.length = -5; return arguments })(1, 2)", "80");
    bytes_are(c, "new Map([['a', 1], [{}, [2]]])", "d90103 a2 6161 01 a0 81 02");
    bytes_are(c, "let m = new Map([[1, 1], [2, 2]]); m.delete(1); m", "d90103 a1 02 02");
    bytes_are(c, "new Set([1, 'x', NaN, 0])", "d90102 84 01 6178 fb7ff8000000000000 00");
    bytes_are(c, "new Date(1500)", "c1 fb 3ff8000000000000");
    bytes_are(c, "new Date(2000)", "c1 02");
    bytes_are(c, "new Date(NaN)", "c1 fb 7ff8000000000000");
    bytes_are(c, "/a\\/b/gi", "d9524a 82 64 615c2f62 62 6769");
    bytes_are(c, "new RegExp('')", "d9524a 82 64 283f3a29 60");
}

static void test_bytes(Checks *c)
{
    bytes_are(c, "new Uint8Array([1, 2])", "42 0102");
    bytes_are(c, "new Uint8Array([1, 2, 3, 4]).subarray(1, 3)", "42 0203");
    bytes_are(c, "new Uint8Array([1, 2]).buffer", "da00746e01 42 0102");
    bytes_are(c, "new DataView(new Uint8Array([1, 2, 3]).buffer, 1)", "da00746e03 42 0203");
    bytes_are(c, "new Uint8ClampedArray([300])", "d844 41 ff");
    bytes_are(c, "new Int8Array([-1])", "d848 41 ff");
    bytes_are(c, "new Uint16Array([1])", "d845 42 0100");
    bytes_are(c, "new Uint32Array([1])", "d846 44 01000000");
    bytes_are(c, "new BigUint64Array([1n])", "d847 48 0100000000000000");
    bytes_are(c, "new Int16Array([-2])", "d84d 42 feff");
    bytes_are(c, "new Int32Array([-2])", "d84e 44 feffffff");
    bytes_are(c, "new BigInt64Array([-2n])", "d84f 48 feffffffffffffff");
    bytes_are(c, "new Float16Array([1])", "d854 42 003c");
    bytes_are(c, "new Float32Array([1])", "d855 44 0000803f");
    bytes_are(c, "new Float64Array([1])", "d856 48 000000000000f03f");
    bytes_are(c,
              "let b = new ArrayBuffer(2, {maxByteLength: 8}), t = new Uint8Array(b); b.resize(3);"
              "t",
              "43 000000");
    bytes_are(c,
              "let b2 = new ArrayBuffer(4, {maxByteLength: 8}), w = new DataView(b2, 1);"
              "b2.resize(6); w",
              "da00746e03 45 0000000000");
    refused(c, "let d = new Uint8Array(4); d.buffer.transfer(); ({a: d})", VALUE_REFUSED,
            "result.a is a view of a buffer that was detached or shrank");
    refused(c, "let d2 = new ArrayBuffer(4); d2.transfer(); d2", VALUE_REFUSED,
            "result is a detached ArrayBuffer");
    refused(c,
            "let b3 = new ArrayBuffer(8, {maxByteLength: 8}), t3 = new Uint8Array(b3, 4, 4);"
            "b3.resize(2); t3",
            VALUE_REFUSED, "shrank");
    refused(c,
            "let b4 = new ArrayBuffer(8, {maxByteLength: 8}), t4 = new DataView(b4, 4, 4);"
            "b4.resize(2); t4",
            VALUE_REFUSED, "shrank");
}

static void test_sharing(Checks *c)
{
    bytes_are(c, "const o = {}; o.self = o; o", "d81c a1 6473656c66 d81d 00");
    bytes_are(c, "const p = {}; [p, p, {p}]", "83 d81c a0 d81d00 a1 6170 d81d00");
    bytes_are(c, "const q = [], r = [q]; [q, r, r, q]", "84 d81c80 d81c 81 d81d00 d81d01 d81d00");
    bytes_are(c, "const k = {}; new Map([[k, k]])", "d90103 a1 d81ca0 d81d00");
    bytes_are(c, "const u = new Uint8Array(1); [u, u]", "82 d81c 4100 d81d00");
    bytes_are(c, "const s2 = 'same'; [s2, s2]", "82 6473616d65 6473616d65");
    comes_back(c,
               "const node = {name: 'root', kids: []}; node.kids.push({parent: node}, "
               "node.kids); node",
               "v.kids[0].parent === v && v.kids[1] === v.kids");
    /* More objects than the table begins with. */
    comes_back(c, "const all = Array.from({length: 500}, (_, i) => ({i})); [all, all.toReversed()]",
               "v[0].every((x, i) => x === v[1][499 - i] && x.i === i)");
}

static void test_refusals(Checks *c)
{
    refused(c, "({rows: [1, 2, 3, {save() {}}]})", VALUE_REFUSED,
            "result.rows[3].save is a function: functions do not cross; call it and return its "
            "result");
    refused(c, "Symbol('s')", VALUE_REFUSED, "result is a symbol");
    refused(c, "Object(Symbol('s'))", VALUE_REFUSED, "result is a symbol");
    refused(c, "[Promise.resolve(1)]", VALUE_REFUSED,
            "result[0] is a promise: promises do not "
            "cross; await it");
    refused(c, "({a: {get b() { return 1 }}})", VALUE_REFUSED, "result.a.b is an accessor");
    refused(c, "Object.defineProperty([1], 0, {get() { return 1 }, enumerable: true})",
            VALUE_REFUSED, "result[0] is an accessor");
    refused(c, "({p: new Proxy({}, {})})", VALUE_REFUSED, "result.p is a Proxy");
    refused(c, "new Proxy(function () {}, {})", VALUE_REFUSED, "result is a Proxy");
    refused(c, "(function* () {})()", VALUE_REFUSED, "result is an iterator (Generator)");
    refused(c, "[1].values()", VALUE_REFUSED, "result is an iterator (Array Iterator)");
    refused(c, "new WeakMap()", VALUE_REFUSED, "result is a WeakMap");
    refused(c, "new WeakRef({})", VALUE_REFUSED, "result is a WeakRef");
    refused(c, "new Map([['a b', () => 1]])", VALUE_REFUSED, "result.get(\"a b\") is a function");
    refused(c, "new Map([[{}, {x: Symbol()}]])", VALUE_REFUSED,
            "result.<value 0 of the Map>.x is a symbol");
    refused(c, "new Map([[() => 1, 1]])", VALUE_REFUSED, "result.<key 0 of the Map> is a function");
    refused(c, "new Set([1, () => 1])", VALUE_REFUSED, "result.<item 1 of the Set> is a function");
    refused(c, "({'a b': {'1x': {$ok_1: () => 1}}})", VALUE_REFUSED,
            "result[\"a b\"][\"1x\"].$ok_1 is a function");
    refused(c, "({['\\n\"' + 'k'.repeat(100)]: () => 1})", VALUE_REFUSED, "result[\"\\x0a\\\"kkk");
    refused(c, "({['\\x01'.repeat(30) + '\\u20ac'.repeat(30)]: () => 1})", VALUE_REFUSED,
            "\\x01...\"] is a function");
    refused(c, "({['\\u20ac'.repeat(30)]: () => 1})", VALUE_REFUSED,
            "result[\"\xe2\x82\xac\xe2\x82\xac");
    refused(c, "new Error('x', {cause: () => 1})", VALUE_REFUSED, "result.cause is a function");
    refused(c, "Object.assign(new Error('x'), {f() {}})", VALUE_REFUSED, "result.f is a function");
    refused(c, "let deep = () => 1; for (let i = 0; i < 100; i++) deep = {['key' + i]: deep}; deep",
            VALUE_REFUSED, ".key0 is a function");
    refused(c, "let deep2 = 1; for (let i = 0; i < 201; i++) deep2 = [deep2]; deep2",
            VALUE_TOO_DEEP, "is nested deeper than 200 levels");
    comes_back(c, "let deep3 = 1; for (let i = 0; i < 200; i++) deep3 = [deep3]; deep3", NULL);
    refused(c,
            "let deep4 = new Error('a'); for (let i = 0; i < 100; i++) deep4 = new Error('b', "
            "{cause: deep4}); deep4",
            VALUE_TOO_DEEP, "nested deeper");
}

static void test_roots(Checks *c)
{
    static const ValueLimits limits = {.bytes = 100, .depth = 100};
    char message[VALUE_MESSAGE_MIN];
    JSValue value = eval(c, "({a: [() => 1]})");

    buf_clear(&c->out);
    value_write(c->ctx, value, "argument 1 of github.list", &limits, NULL, &c->out, message,
                sizeof message);
    check(c, strstr(message, "argument 1 of github.list at a[0] is a function") != NULL, "root",
          message);
    JS_FreeValue(c->ctx, value);
}

static void limit_is(Checks *c, const char *source, uint64_t bytes)
{
    char message[VALUE_MESSAGE_MIN];
    JSValue value = eval(c, source);
    ValueLimits at = {.bytes = bytes, .depth = 100}, under = {.bytes = bytes - 1, .depth = 100};

    check(c, write_with(c, value, &at, message) == VALUE_OK, source, message);
    check(c, write_with(c, value, &under, message) == VALUE_TOO_LARGE, source, "fits one under");
    check(c, strstr(message, "larger than the limit") != NULL, source, message);
    JS_FreeValue(c->ctx, value);
}

static void test_limits(Checks *c)
{
    limit_is(c, "'abcd'", 5);
    limit_is(c, "[1, 2, 3]", 4);
    limit_is(c, "({a: 'xyz'})", 7);
    limit_is(c, "new Array(100)", 102);
    limit_is(c, "new Uint8Array(1000)", 1003);
    limit_is(c, "new Map([[1, 2]])", 6);
    limit_is(c, "new Date(0)", 2);
    limit_is(c, "2n**64n", 11);
    /* Shared parts count each time: 2^10 leaves of 4 bytes in arrays of one. */
    limit_is(c, "let n = ['lol']; for (let i = 0; i < 10; i++) n = [n, n]; n", 1024 * 5 + 1023);
    refused(c, "let lol = ['lol']; for (let i = 0; i < 60; i++) lol = [lol, lol]; lol",
            VALUE_TOO_LARGE, "result is larger than the limit of 1048576 bytes");
    refused(c, "new Array(1e9)", VALUE_TOO_LARGE, "larger");
    refused(c, "let far = []; far[2**32 - 2] = 1; far", VALUE_TOO_LARGE, "larger");
    refused(c, "let far2 = [1, 2]; far2.length = 2**32 - 1; far2", VALUE_TOO_LARGE, "larger");
    refused(c, "({a: {text: 'z'.repeat(64 << 20)}})", VALUE_TOO_LARGE, "(passed at result.a.text)");
    refused(c, "({['k'.repeat(2 << 20)]: 1})", VALUE_TOO_LARGE, "larger");
    refused(c, "const wide = {}; for (let i = 0; i < 200000; i++) wide['k' + i] = i; wide",
            VALUE_TOO_LARGE, "larger");
    refused(c, "new Uint8Array(2 << 20)", VALUE_TOO_LARGE, "larger");
    refused(c, "new Error('m'.repeat(2 << 20))", VALUE_TOO_LARGE, "larger");
}

void test_write(Checks *c)
{
    test_primitives(c);
    test_text(c);
    test_objects(c);
    test_bytes(c);
    test_sharing(c);
    test_refusals(c);
    test_roots(c);
    test_limits(c);
}
