/* Programs that want to be asked: whatever they patched, trapped or inherited, writing, reading and
 * describing run none of it. `touched` is what each trap would leave behind. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "value_parts.h"
#include "values.h"

static const char traps[] =
    "globalThis.touched = '';"
    "globalThis.note = name => function () { touched += name + ' '; throw 'trap'; };"
    "const O = Object.prototype, defineProperty = Object.defineProperty;"
    "const trap = (object, key, name) => defineProperty(object, key, {__proto__: null, "
    "configurable: true, get: note('get ' + name), set: note('set ' + name)});"
    "for (const key of ['toJSON', 'valueOf', 'toString', 'then', 'get', 'set', 'value', 'cause', "
    "'errors', 'code', 'retryable', 'hint', 'transfer', 'a', 'b', 'enumerable', 'writable'])"
    "  trap(O, key, key);"
    "const classes = [[Map, ['set', 'get', 'entries', 'size', 'forEach', Symbol.iterator]], [Set, "
    "['add', 'values', 'size', Symbol.iterator]], [Date, ['getTime', 'valueOf', "
    "Symbol.toPrimitive]], [RegExp, ['flags', 'source', 'global', 'exec', 'unicode', "
    "Symbol.match]], [Error, ['stack', 'toString']], [Uint8Array, ['length', 'buffer', 'set']], "
    "[ArrayBuffer, ['byteLength', 'slice', 'constructor']], [Promise, ['then']], [Symbol, "
    "['description', 'toString']], [Number, ['valueOf']], [String, ['valueOf']], [BigInt, "
    "['toString', 'toJSON']], [Array, ['push', 'keys', 0, 1, 2, 3, 4, Symbol.iterator]]];"
    "Error.prepareStackTrace = note('prepareStackTrace');"
    "Error.stackTraceLimit = {valueOf: note('stackTraceLimit'), __proto__: null};"
    "for (const name of ['Object', 'Array', 'Map', 'Set', 'Date', 'RegExp', 'Error', 'TypeError', "
    "'Uint8Array', 'ArrayBuffer', 'DataView', 'BigInt'])"
    "  trap(globalThis, name, 'global ' + name);"
    "for (const [C, names] of classes)"
    "  for (const key of names)"
    "    trap(C.prototype, key, C.name);"
    "touched = '';";

/* Made before the traps, which would catch the making. */
static const char victims[] =
    "globalThis.victims = [{x: {a: 1, b: [1, 2, 3, 4, 5, 6]}}, new Map([['a', 1], "
    "[{}, 2]]), new Set([1, 'b']), new Date(5), /a.b/gy, new Error('e', {cause: 1}), new "
    "TypeError('t'), new Uint8Array([1, 2]), new ArrayBuffer(3), new DataView(new ArrayBuffer(2)), "
    "Object(1), Object('s'), Object(1n), 2n**70n, JSON.parse('{\"__proto__\": {\"a\": 1}}'), "
    "[1,,3,,5], new Float64Array([1.5]), new AggregateError([new Error('i')], 'ag'), "
    "(function () { return arguments })(1, 2), new DOMException('m', 'AbortError')];"
    "globalThis.thrown = [...victims, Symbol('s'), () => 1, Promise.resolve(), new Proxy({}, {}), "
    "Object.create(new Proxy({}, {get() { touched += 'proxy' }, getPrototypeOf() { "
    "touched += 'proto' }})), {toString() { touched += 'toString' }, toJSON() { touched += "
    "'toJSON' }}, new Proxy(function () {}, {get() { touched += 'proxy' }, ownKeys() { "
    "touched += 'ownKeys' }}), Object.defineProperty(new Error(), 'message', {get() { for (;;); "
    "}}), (function* () {})(), new WeakMap(), null, undefined];"
    "globalThis.refusable = [{get a() { for (;;); }}, new Proxy({}, {ownKeys() { touched += "
    "'ownKeys' }}), {[Symbol.toPrimitive]() {}, f() { touched += 'f' }}, [new Proxy([], {})], "
    "{then: f => f(7)}, "
    "new Map([[new Proxy({}, {}), 1]])]; undefined";

static uint32_t length_of(JSContext *ctx, JSValueConst array)
{
    uint32_t length, dense;
    bool sparse;

    inside_array(ctx, array, &length, &dense, &sparse);
    return length;
}

static JSValueConst item_of(JSContext *ctx, JSValueConst array, uint32_t index)
{
    InsideProperty item;

    inside_array_item(ctx, array, index, &item);
    return item.value;
}

static void untouched(Checks *c, const char *what, uint32_t at)
{
    JSValue global = JS_GetGlobalObject(c->ctx);
    JSValue touched = JS_GetPropertyStr(c->ctx, global, "touched");
    char text[64], names[200];

    snprintf(text, sizeof text, "%s %u", what, at);
    size_t length = text_copy(touched, names, sizeof names);
    check(c, length == 0 && !JS_HasException(c->ctx), text, names);
    JS_FreeValue(c->ctx, touched);
    JS_FreeValue(c->ctx, global);
}

static void write_and_read(Checks *c, JSValueConst value, uint32_t at)
{
    static const ValueLimits limits = {.bytes = 100000, .depth = 50};
    char message[VALUE_MESSAGE_MIN];
    JSValue back = JS_UNDEFINED;
    ValueStatus status = write_with(c, value, &limits, message);

    check(c, status == VALUE_OK, "victim is written", message);
    status = value_read(c->ctx, c->out.data, c->out.length, &limits, NULL, &back);
    check(c, status == VALUE_OK, "victim is read", message);
    JS_FreeValue(c->ctx, back);
    untouched(c, "victim", at);
}

static void each(Checks *c, const char *name, void (*act)(Checks *, JSValueConst, uint32_t))
{
    JSValue global = JS_GetGlobalObject(c->ctx);
    JSValue list = JS_GetPropertyStr(c->ctx, global, name);

    for (uint32_t i = 0; i < length_of(c->ctx, list); i++)
        act(c, item_of(c->ctx, list, i), i);
    JS_FreeValue(c->ctx, list);
    JS_FreeValue(c->ctx, global);
}

static void describe(Checks *c, JSValueConst value, uint32_t at)
{
    buf_clear(&c->out);
    error_write(c->ctx, value, &c->out);
    CborReader in = {.at = c->out.data, .end = c->out.data + c->out.length};
    check(c, cbor_skip(&in, 100) && in.at == in.end, "thrown is described", "malformed");
    untouched(c, "thrown", at);
}

static void refuse(Checks *c, JSValueConst value, uint32_t at)
{
    static const ValueLimits limits = {.bytes = 100000, .depth = 50};
    char message[VALUE_MESSAGE_MIN];

    check(c, write_with(c, value, &limits, message) == VALUE_REFUSED, "refusable", message);
    untouched(c, "refusable", at);
}

/* Errors that the reader makes the engine find, and that would build a stack. */
static void test_quiet_reader(Checks *c)
{
    static const ValueLimits limits = {.bytes = 100, .depth = 50};
    static const uint8_t bad_pattern[] = {0xd9, 0x52, 0x4a, 0x82, 0x61, '(', 0x60};
    JSValue value;

    check(c,
          value_read(c->ctx, bad_pattern, sizeof bad_pattern, &limits, NULL, &value) ==
              VALUE_MALFORMED,
          "bad pattern", "is read");
    untouched(c, "bad pattern", 0);
}

/* A pending exception of the caller's is still pending afterwards. */
static void test_pending(Checks *c)
{
    static const ValueLimits limits = {.bytes = 100, .depth = 50};
    char message[VALUE_MESSAGE_MIN];
    JSValue value = JS_NewInt32(c->ctx, 1);

    JS_Throw(c->ctx, JS_NewInt32(c->ctx, 42));
    write_with(c, value, &limits, message);
    error_write(c->ctx, value, &c->out);
    JSValue thrown = JS_GetException(c->ctx);
    check(c, JS_VALUE_GET_TAG(thrown) == JS_TAG_INT && JS_VALUE_GET_INT(thrown) == 42,
          "pending exception", "was lost");
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What must end at once whatever its size: bounded by the limit, not by the value. */
static void test_bounded(Checks *c)
{
    static const char *const sources[] = {
        "new Array(4294967295)",
        "'z'.repeat(1 << 29)",
        "let g = ['lol']; for (let i = 0; i < 5000; i++) g = [g, g]; g",
        "let h = {}; for (let i = 0; i < 150; i++) h = {a: h, b: h, c: h}; h",
        "let ring = Array.from({length: 300}, () => []); for (let x of ring) x.push(...ring); ring",
        "Object.assign([], {[2**32 - 2]: 1})",
        "const many = new Map(); for (let i = 0; i < 3e5; i++) many.set(i, i); many",
        "let cons = null; for (let i = 0; i < 3e5; i++) cons = {cons}; cons",
        "const numbered = {}; for (let i = 3e5; i-- > 0;) numbered[i * 7919 % 4e6] = i; numbered",
        "new Uint8Array(1 << 29)",
        "let rope = 'ab'; while (rope.length < 1 << 28) rope = rope + 'c' + rope; rope",
    };
    ValueLimits limits = {.bytes = 100000, .depth = 6000};
    char message[VALUE_MESSAGE_MIN];

    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        JSValue value = eval(c, sources[i]);
        double start = seconds_now();
        ValueStatus status = write_with(c, value, &limits, message);
        double took = seconds_now() - start;
        check(c, status == VALUE_TOO_LARGE || status == VALUE_TOO_DEEP, sources[i], message);
        check(c, took < 0.5, sources[i], "took too long");
        start = seconds_now();
        buf_clear(&c->out);
        error_write(c->ctx, value, &c->out);
        check(c, seconds_now() - start < 0.5 && c->out.length < ERROR_BYTES_MAX, sources[i],
              "is described too long");
        JS_FreeValue(c->ctx, value);
    }
}

/* That the traps do catch: the engine's own JSON falls into one. */
static void test_canary(Checks *c)
{
    JSValue global = JS_GetGlobalObject(c->ctx);
    JSValue list = JS_GetPropertyStr(c->ctx, global, "victims");
    JSValue text = JS_JSONStringify(c->ctx, list, JS_UNDEFINED, JS_UNDEFINED);

    JS_FreeValue(c->ctx, text);
    JS_FreeValue(c->ctx, JS_GetException(c->ctx));
    JS_FreeValue(c->ctx, list);
    list = JS_GetPropertyStr(c->ctx, global, "touched");
    check(c, inside_text_length(list) > 0, "canary", "is alive");
    JS_FreeValue(c->ctx, list);
    JS_FreeValue(c->ctx, global);
}

void test_hostile(Checks *c)
{
    test_pending(c);
    test_bounded(c);
    realm_close(c);
    realm_open(c);
    JS_FreeValue(c->ctx, eval(c, victims));
    JS_FreeValue(c->ctx, eval(c, traps));
    each(c, "victims", write_and_read);
    each(c, "thrown", describe);
    each(c, "refusable", refuse);
    test_quiet_reader(c);
    test_canary(c);
}
