/* Values that come back as they left, bytes that no value has, and readers cut or flipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "values.h"

static void test_back(Checks *c)
{
    comes_back(c, "[undefined, null, true, false, 0, -1, 2**53 - 1, 1.5, 'x']",
               "v.length === 9 && v[0] === undefined && v[6] === 2**53 - 1");
    comes_back(c, "-0", "Object.is(v, -0)");
    comes_back(c, "NaN", "Number.isNaN(v)");
    comes_back(c,
               "[0n, 1n, -1n, 2n**31n, -(2n**31n), 2n**32n, 2n**63n, -(2n**63n), 2n**64n, "
               "-(2n**64n), 10n**40n, 255n, -256n, 2n**127n - 1n]",
               "v.join() === '0,1,-1,2147483648,-2147483648,4294967296,9223372036854775808,"
               "-9223372036854775808,18446744073709551616,-18446744073709551616,' + 10n**40n + "
               "',255,-256,' + (2n**127n - 1n)");
    comes_back(c, "'\\ud800 \\udc00 a\\ud83d\\ude00'", "v === '\\ud800 \\udc00 a\\ud83d\\ude00'");
    comes_back(c, "({'id': 1, 'id\\0admin': 2, '\\u{1f600}': '\\0tail', '\\udfff': 3})",
               "Object.keys(v).join('|') === 'id|id\\0admin|\\u{1f600}|\\udfff'");
    comes_back(c,
               "[new Date(0), new Date(NaN), new Date(8.64e15), new Date(-8.64e15), "
               "new Date(1767225600123), new Date(-1), new Date(8639999999999999)]",
               "v.map(d => d.getTime()).join() === '0,NaN,8640000000000000,-8640000000000000,"
               "1767225600123,-1,8639999999999999'");
    comes_back(c, "[/a\\/b/dgimsuy, /[\\p{L}--q]/v, new RegExp('\\ud800')]",
               "v[0].flags === 'dgimsuy' && v[0].source === 'a\\\\/b' && v[1].flags === 'v' && "
               "v[2].source === '\\ud800' && v[0].lastIndex === 0 && v[0].test('a/b')");
    comes_back(c, "new Map([[NaN, 1], ['a', new Map()], [{}, new Set([[1]])]])",
               "v instanceof Map && v.get(NaN) === 1 && v.get('a').size === 0 && "
               "[...v.keys()][2] instanceof Object");
    comes_back(c,
               "const self = new Map(); self.set(self, self); const st = new Set(); st.add(st); "
               "[self, st]",
               "v[0].get(v[0]) === v[0] && v[1].has(v[1])");
    comes_back(c, "JSON.parse('{\"__proto__\": {\"isAdmin\": true}, \"constructor\": 1}')",
               "Object.hasOwn(v, '__proto__') && v.isAdmin === undefined && "
               "Object.getPrototypeOf(v) === Object.prototype && ({}).isAdmin === undefined");
    comes_back(c, "({5: 1, 4: 2, b: 3, a: 4})", "Object.keys(v).join() === '4,5,b,a'");
    comes_back(c, "[1,,3]", "v.length === 3 && 1 in v && v[1] === undefined");
}

static void test_typed_back(Checks *c)
{
    comes_back(c,
               "[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, "
               "Uint32Array, Float16Array, Float32Array, Float64Array].map(T => new T([1, 2, "
               "250]))",
               "v.map(t => t.constructor.name + t.join()).join(' ') === 'Int8Array1,2,-6 "
               "Uint8Array1,2,250 Uint8ClampedArray1,2,250 Int16Array1,2,250 Uint16Array1,2,250 "
               "Int32Array1,2,250 Uint32Array1,2,250 Float16Array1,2,250 Float32Array1,2,250 "
               "Float64Array1,2,250'");
    comes_back(c, "[new BigInt64Array([-1n, 5n]), new BigUint64Array([2n**64n - 1n])]",
               "v[0][0] === -1n && v[1][0] === 2n**64n - 1n");
    comes_back(c, "[new ArrayBuffer(3), new DataView(new ArrayBuffer(4), 1, 2), new Uint8Array()]",
               "v[0].byteLength === 3 && v[1] instanceof DataView && v[1].byteLength === 2 && "
               "v[2].length === 0");
}

static void test_errors_back(Checks *c)
{
    comes_back(c, "const te = new TypeError('bad', {cause: {code: 5}}); te",
               "v instanceof TypeError && v.name === 'TypeError' && v.message === 'bad' && "
               "v.cause.code === 5 && v.stack === te.stack && Object.keys(v).length === 0 && "
               "!Object.hasOwn(v, 'name')");
    comes_back(c, "Object.assign(new Error('x'), {code: 'E_X', retryable: true})",
               "v.code === 'E_X' && v.retryable === true && Object.keys(v).join() === "
               "'code,retryable'");
    comes_back(c, "class Mine extends RangeError { name = 'Mine' } new Mine('m')",
               "v instanceof Error && v.name === 'Mine' && v.message === 'm'");
    comes_back(c, "const ag = new AggregateError([new Error('a')], 'many'); ag.errors.push(ag); ag",
               "v instanceof AggregateError && v.errors.length === 2 && v.errors[1] === v");
    comes_back(c, "new DOMException('no', 'AbortError')",
               "v.name === 'AbortError' && v.message === 'no'");
    comes_back(c, "const ce = new Error('e'); ce.cause = ce; ce", "v.cause === v");
    comes_back(c, "const ne = new Error('n'); ne.name = Symbol('n'); ne.message = 5; ne",
               "v.name === 'Symbol(n)' && v.message === '5'");
    comes_back(c, "Object.assign(Object.create(null), {a: 1})", "v.a === 1");
}

static void test_malformed(Checks *c)
{
    static const char *const hex[] = {
        "",
        "ff",
        "1c",
        "18",
        "62 61",
        "61 ff",
        "62 c080",
        "63 eda080",
        "81",
        "a1 00 00",
        "a1 6161",
        "82 01",
        "9f 01",
        "bf 6161 ff",
        "7f 6161 ff",
        "5f 4161 ff",
        "f8 20",
        "e0",
        "c1 6161",
        "c1",
        "c2 01",
        "c0 00",
        "d818 41 00",
        "d845 41 00",
        "d856 44 00000000",
        "d81c",
        "d81d 00",
        "d81c d81d 00",
        "d81c d81c 80",
        "82 d81c 80 d81d 01",
        "d90103 80",
        "d90102 a0",
        "d90111 61 61",
        "d90111 41 ff",
        "d90111 46 eda0bdedb880",
        "d81b 80",
        "d81b 82 00 a0",
        "d81b 81 6161",
        "d81b 82 6161 80",
        "d81b 83 6161 a0 00",
        "d9524a 82 6161 6178",
        "d9524a 82 6128 60",
        "d9524a 81 6161",
        "d9524a 83 6161 60 60",
        "d9524a 82 01 60",
        "da00746e01 61 61",
        "da00746e02 83 6161 00 00",
        "da00746e03 80",
        "00 00",
        "f6 f6",
        "9b 00000000ffffffff",
        "9b ffffffffffffffff",
        "bb 8000000000000000",
        "5b ffffffffffffffff",
        "df 00",
    };

    for (size_t i = 0; i < sizeof hex / sizeof *hex; i++)
        unreadable(c, hex[i], VALUE_MALFORMED);
}

static void test_other_forms(Checks *c)
{
    static const struct {
        const char *hex;
        const char *condition;
    } forms[] = {
        {"9f 01 9f ff bf 6161 02 ff ff", "v.length === 3 && v[1].length === 0 && v[2].a === 2"},
        {"d90103 bf 01 02 ff", "v.get(1) === 2"},
        {"d90102 9f 01 ff", "v.has(1)"},
        {"19 0001", "v === 1"},
        {"1b 0020000000000001", "v === 2**53"},
        {"3b ffffffffffffffff", "v === -(2**64)"},
        {"f9 3c00", "v === 1"},
        {"f9 8000", "Object.is(v, -0)"},
        {"fa 3fc00000", "v === 1.5"},
        {"c2 43 000001", "v === 1n"},
        {"c1 f9 3e00", "v.getTime() === 1500"},
        {"a2 6161 01 6161 02", "v.a === 2"},
        {"d81b 82 6161 a1 65737461636b 05", "v.stack === 5"},
        {"d81c 6161", "v === 'a'"},
    };
    static const ValueLimits limits = {.bytes = 1000, .depth = 10};
    uint8_t bytes[64];
    JSValue global = JS_GetGlobalObject(c->ctx);

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        JSValue value = JS_UNDEFINED;
        size_t length = hex_bytes(forms[i].hex, bytes, sizeof bytes);
        ValueStatus status = value_read(c->ctx, bytes, length, &limits, NULL, &value);
        check(c, status == VALUE_OK, forms[i].hex, "cannot be read");
        JS_DefinePropertyValueStr(c->ctx, global, "v", value, JS_PROP_C_W_E);
        holds(c, forms[i].condition);
    }
    JS_FreeValue(c->ctx, global);
}

static void test_depth(Checks *c)
{
    static const ValueLimits limits = {.bytes = 40, .depth = 3};
    JSValue value;

    check(c, value_read(c->ctx, (const uint8_t *)"\x81\x81\x80", 3, &limits, NULL, &value) == 0,
          "depth 3", "is refused");
    JS_FreeValue(c->ctx, value);
    check(c,
          value_read(c->ctx, (const uint8_t *)"\x81\x81\x81\x80", 4, &limits, NULL, &value) ==
              VALUE_TOO_DEEP,
          "depth 4", "is read");
    check(c, value_read(c->ctx, (const uint8_t *)"", 41, &limits, NULL, &value) == VALUE_TOO_LARGE,
          "41 bytes", "are read");
}

/* One document with everything in it. */
static const char everything[] =
    "(() => { const sh = {t: 1}; return {u: [undefined, null, true, 1, -300, 1.5, -0, 'text', "
    "'\\ud800', 5n, -(2n**70n)], d: new Date(1500), r: /a(b)c/gi, m: new Map([[1, sh], ['k', new "
    "Set([sh, 2])]]), b: [new Uint8Array([1, 2, 3]), new Float64Array([1, 2]), new ArrayBuffer(2), "
    "new DataView(new ArrayBuffer(3))], e: new AggregateError([new TypeError('x', {cause: sh})], "
    "'m'), '\\udc00': sh, __proto__: null} })()";

static void read_and_drop(Checks *c, const uint8_t *bytes, size_t length, unsigned *ok)
{
    static const ValueLimits limits = {.bytes = 100000, .depth = 100};
    JSValue value = JS_UNINITIALIZED;
    ValueStatus status = value_read(c->ctx, bytes, length, &limits, NULL, &value);

    if (status == VALUE_OK) {
        ++*ok;
        JS_FreeValue(c->ctx, value);
    }
}

static void test_damaged(Checks *c)
{
    char message[VALUE_MESSAGE_MIN];
    JSValue value = eval(c, everything);
    ValueLimits limits = {.bytes = 100000, .depth = 100};
    unsigned ok = 0;

    check(c, write_with(c, value, &limits, message) == VALUE_OK, everything, message);
    JS_FreeValue(c->ctx, value);
    size_t length = c->out.length;
    /* Each copy ends where its memory ends: reading past it is seen. */
    for (size_t cut = 0; cut < length; cut++) {
        uint8_t *copy = malloc(cut + 1);
        memcpy(copy + 1, c->out.data, cut);
        read_and_drop(c, copy + 1, cut, &ok);
        free(copy);
    }
    check(c, ok == 0, "cut documents", "were read");
    uint8_t *copy = malloc(length + 1);
    for (size_t at = 0; at < length; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            memcpy(copy, c->out.data, length);
            copy[at] ^= (uint8_t)(1u << bit);
            read_and_drop(c, copy, length, &ok);
        }
        static const uint8_t swaps[] = {0x00, 0x80, 0xa0, 0x9f, 0xbf, 0xc0, 0xd8, 0xf7, 0xff};
        for (size_t s = 0; s < sizeof swaps; s++) {
            memcpy(copy, c->out.data, length);
            copy[at] = swaps[s];
            read_and_drop(c, copy, length, &ok);
        }
    }
    free(copy);
    check(c, ok > 0, "flipped documents", "none was read");
    JS_RunGC(c->rt);
}

void test_read(Checks *c)
{
    test_back(c);
    test_typed_back(c);
    test_errors_back(c);
    test_malformed(c);
    test_other_forms(c);
    test_depth(c);
    test_damaged(c);
    comes_back(c, everything, "v.m.get(1) === v.e.errors[0].cause && v['\\udc00'] === v.m.get(1)");
}
