/* Descriptions of thrown values. They are read back as values, and looked at by the program. */
#include <stdio.h>
#include <string.h>

#include "values.h"

/* The description of the snippet's value is `e` for the condition. */
static void described(Checks *c, const char *source, const char *condition)
{
    static const ValueLimits limits = {.bytes = ERROR_BYTES_MAX, .depth = 300};
    JSValue value = eval(c, source), back = JS_UNDEFINED;
    JSValue global = JS_GetGlobalObject(c->ctx);

    buf_clear(&c->out);
    error_write(c->ctx, value, &c->out);
    check(c, c->out.length < ERROR_BYTES_MAX, source, "is too long");
    ValueStatus status = value_read(c->ctx, c->out.data, c->out.length, &limits, NULL, &back);
    check(c, status == VALUE_OK, source, "description cannot be read");
    JS_DefinePropertyValueStr(c->ctx, global, "e", back, JS_PROP_C_W_E);
    holds(c, condition);
    JS_FreeValue(c->ctx, global);
    JS_FreeValue(c->ctx, value);
}

static void test_shapes(Checks *c)
{
    described(c, "new TypeError('bad')",
              "e.name === 'TypeError' && e.message === 'bad' && e.isError === true && "
              "e.stack.includes('test.js') && e.value instanceof TypeError && !('shown' in e) && "
              "!('cause' in e) && !('code' in e)");
    described(c, "''",
              "e.name === '' && e.message === '' && e.isError === false && e.value === ''");
    described(c, "'boom'", "e.message === 'boom' && e.value === 'boom'");
    described(c, "null", "e.message === 'null' && e.value === null && e.isError === false");
    described(c, "undefined", "e.message === 'undefined' && 'value' in e && e.value === undefined");
    described(c, "1.5", "e.message === '1.5' && e.value === 1.5");
    described(c, "12n", "e.message === '12n' && e.value === 12n");
    described(c, "2n**100000n", "e.message === 'a big integer of about 100032 bits'");
    described(c, "Symbol('why')",
              "e.message === 'Symbol(why)' && e.shown === 'Symbol(why)' && "
              "!('value' in e)");
    described(c, "function why() {} why",
              "e.message === 'function why' && e.shown === "
              "'function why'");
    described(c, "new Error('')", "e.message === '' && e.name === 'Error' && e.isError");
    described(c, "({code: 5, message: 'like one'})",
              "e.message === 'like one' && e.name === '' && e.isError === false && e.code === 5 && "
              "e.value.code === 5");
    described(c, "({toString() { return 'x' }})",
              "e.message === '[object Object]' && "
              "e.shown === '[object Object]'");
    described(c, "new Proxy({}, {})", "e.message === '[object Proxy]'");
    described(c, "new DOMException('gone', 'AbortError')",
              "e.name === 'AbortError' && e.message === 'gone' && e.isError");
    described(c, "Object.assign(new Error('x'), {code: 'E_NET', retryable: true, hint: 'wait'})",
              "e.code === 'E_NET' && e.retryable === true && e.hint === 'wait'");
    described(c, "Object.assign(new Error('x'), {code: {}, retryable: 1, hint: 2})",
              "!('code' in e) && !('retryable' in e) && !('hint' in e)");
}

static void test_odd(Checks *c)
{
    described(c,
              "const s17 = new Error('plain'); s17.name = Symbol('n'); s17.message = Symbol("
              "'m'); Object.defineProperty(s17, 'stack', {value: Symbol('s')}); s17",
              "e.name === 'Symbol(n)' && e.message === 'Symbol(m)' && e.stack.includes('test.js')");
    described(c,
              "const s20 = new Error('own'); Object.defineProperty(s20, 'message', {get() { for "
              "(;;); }}); s20",
              "e.name === 'Error' && e.message === ''");
    described(c, "class Deep extends TypeError {} Deep.prototype.name = 'Deep'; new Deep('d')",
              "e.name === 'Deep' && e.message === 'd'");
    described(c,
              "const np = new Error('np'); Object.setPrototypeOf(np, new Proxy({}, {get() { "
              "return 'lie' }})); np",
              "e.name === 'Error' && e.message === 'np'");
    described(c,
              "let longProto = {}; for (let i = 0; i < 100; i++) longProto = Object.create("
              "longProto); const lp = new Error('lp'); Object.setPrototypeOf(lp, longProto); lp",
              "e.name === 'Error' && e.message === 'lp'");
    described(c, "const nm = new Error('m'); nm.name = undefined; nm", "e.name === 'Error'");
    described(c, "new Error('\\ud800 lone')", "e.message === '\\ufffd lone'");
}

static void test_causes(Checks *c)
{
    described(c, "new Error('a', {cause: new TypeError('b', {cause: {code: 7}})})",
              "e.cause.name === 'TypeError' && e.cause.isError && e.cause.cause.isError === false "
              "&& e.cause.cause.value.code === 7 && e.cause.stack.length > 0");
    described(c, "const cy = new Error('cy'); cy.cause = cy; cy",
              "e.cause.circular === true && e.cause.message === 'cy' && !('cause' in e.cause)");
    described(c, "const c1 = new Error('1'), c2 = new Error('2', {cause: c1}); c1.cause = c2; c1",
              "e.cause.message === '2' && e.cause.cause.circular === true");
    described(c,
              "let chain = new Error('0'); for (let i = 1; i < 20; i++) chain = new Error(`${i}`, "
              "{cause: chain}); chain",
              "let depth = 0; for (let at = e; at; at = at.cause) depth++; depth === 8");
    described(c, "new Error('nc', {cause: undefined})",
              "'cause' in e && e.cause.message === "
              "'undefined'");
    described(c,
              "const a19 = new Error('a'), b19 = new AggregateError([], 'b'); a19.cause = b19; "
              "b19.cause = a19; b19.errors.push(a19, b19, ...Array.from({length: 5000}, (_, i) => "
              "new Error('e' + i, {cause: b19}))); b19",
              "e.errorCount === 5002 && e.errors.length === 8 && e.errors[2].message === 'e0' && "
              "e.cause.message === 'a' && e.cause.cause.circular === true && 'shown' in e");
}

static void test_sizes(Checks *c)
{
    described(
        c, "new Error('m'.repeat(1 << 20))",
        "e.message.length > 8000 && e.message.length <= 8192 && e.message.endsWith('m\\u2026')"
        " && 'shown' in e");
    described(c, "new Error('\\u20ac'.repeat(3000))",
              "e.message.endsWith('\\u20ac\\u2026') && "
              "!e.message.includes('\\ufffd')");
    described(c, "'\\u{1f600}'.repeat(1 << 18)", "e.message.endsWith('\\u{1f600}\\u2026')");
    described(c, "({big: 'x'.repeat(30000)})", "'shown' in e && !('value' in e)");
    described(c, "({big: 'x'.repeat(15000)})", "e.value.big.length === 15000");
    described(
        c,
        "let fat = new Error('0'); for (let i = 1; i < 9; i++) { fat = new AggregateError("
        "Array.from({length: 20}, () => Object.assign(new Error('\\xe9'.repeat(9000)), {code: "
        "'c'.repeat(900), hint: 'h'.repeat(9000)})), 'f'.repeat(90000), {cause: fat}); "
        "fat.name = 'n'.repeat(900); fat.stack = 's'.repeat(90000); fat.hint = 'h'.repeat("
        "9000); fat.code = 'c'.repeat(900) } fat",
        "e.errors.length === 8 && e.cause.errors.length === 8");
}

void test_errors(Checks *c)
{
    test_shapes(c);
    test_odd(c);
    test_causes(c);
    test_sizes(c);
}
