/* Runs one script on the native engine with the prelude in place, as a run inside the guest would:
 *
 *     run prelude.js script.js      what the console was given goes to standard output
 *     run --time prelude.js         how long parsing and evaluating the prelude takes
 *
 * The `host` it makes is the smallest that works: texts are printed with a mark for their level,
 * time stands still unless the script moves it with `advance(ms)`, and setTimeout runs its
 * callbacks in the order of their times when the script has ended.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "inside_inspect.h"
#include "quickjs.h"

/* What the engine, as the guest has it, asks of the guest: room on the stack, and the zone. */
bool guest_stack_low(void);
int guest_zone_offset(double time_ms, int is_local);

bool guest_stack_low(void)
{
    return false;
}

int guest_zone_offset(double time_ms, int is_local)
{
    (void)time_ms;
    (void)is_local;
    return 0;
}

static double now_ms;
static uint8_t next_random;

static JSValue host_print(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, argv[1]);

    (void)this_val;
    (void)argc;
    if (!text)
        return JS_EXCEPTION;
    fwrite(text, 1, length, stdout);
    fputc('\n', stdout);
    JS_FreeCString(ctx, text);
    return JS_UNDEFINED;
}

static JSValue host_now(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)ctx;
    (void)this_val;
    (void)argc;
    (void)argv;
    return JS_NewFloat64(ctx, now_ms);
}

static JSValue host_wall(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    (void)argv;
    return JS_NewFloat64(ctx, 1767225600000.0 + now_ms);
}

static JSValue host_advance(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    double ms = 0;

    (void)this_val;
    (void)argc;
    if (JS_ToFloat64(ctx, &ms, argv[0]) < 0)
        return JS_EXCEPTION;
    now_ms += ms;
    return JS_UNDEFINED;
}

static JSValue host_random(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t length, i;
    uint8_t *bytes = JS_GetUint8Array(ctx, &length, argv[0]);

    (void)this_val;
    (void)argc;
    for (i = 0; bytes && i < length; i++)
        bytes[i] = (uint8_t)(next_random += 37);
    return JS_UNDEFINED;
}

/* A structured clone that is good enough for a test: the engine's own serialiser. */
static JSValue host_clone(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t length;
    uint8_t *bytes = JS_WriteObject(ctx, &length, argv[0], JS_WRITE_OBJ_REFERENCE);
    JSValue copy;

    (void)this_val;
    (void)argc;
    if (!bytes)
        return JS_EXCEPTION;
    copy = JS_ReadObject(ctx, bytes, length, JS_READ_OBJ_REFERENCE);
    js_free(ctx, bytes);
    return copy;
}

/* setTimeout as a list kept in JavaScript: enough to see AbortSignal.timeout fire. */
static const char timers_source[] =
    "((advance) => { const list = []; let serial = 0;"
    "globalThis.setTimeout = (f, ms, ...a) => {"
    "  list.push({ f, at: ms, id: ++serial, a }); return serial; };"
    "globalThis.clearTimeout = (id) => {"
    "  const i = list.findIndex((t) => t.id === id); if (i >= 0) list.splice(i, 1); };"
    "const sort = Array.prototype.sort, shift = Array.prototype.shift;"
    "return () => { if (list.length === 0) return false;"
    "  sort.call(list, (x, y) => x.at - y.at || x.id - y.id);"
    "  const t = shift.call(list); advance(t.at); t.f(...t.a); return true; }; })";

static JSValue make_host(JSContext *ctx)
{
    JSValue host = JS_NewObject(ctx);

    JS_SetPropertyStr(ctx, host, "print", JS_NewCFunction(ctx, host_print, "print", 2));
    JS_SetPropertyStr(ctx, host, "now", JS_NewCFunction(ctx, host_now, "now", 0));
    JS_SetPropertyStr(ctx, host, "wall", JS_NewCFunction(ctx, host_wall, "wall", 0));
    JS_SetPropertyStr(ctx, host, "clone", JS_NewCFunction(ctx, host_clone, "clone", 2));
    JS_SetPropertyStr(ctx, host, "random", JS_NewCFunction(ctx, host_random, "random", 1));
    JS_SetPropertyStr(ctx, host, "inspect", inspect_intrinsics(ctx));
    return host;
}

static char *read_file(const char *path, size_t *out_length)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long length;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0) {
        fprintf(stderr, "run: cannot read %s\n", path);
        exit(2);
    }
    rewind(file);
    text = malloc((size_t)length + 1);
    *out_length = fread(text, 1, (size_t)length, file);
    text[*out_length] = '\0';
    fclose(file);
    return text;
}

static int report(JSContext *ctx, JSValue value)
{
    JSValue error;
    const char *text, *stack;
    JSValue stack_value;

    if (!JS_IsException(value)) {
        JS_FreeValue(ctx, value);
        return 0;
    }
    error = JS_GetException(ctx);
    text = JS_ToCString(ctx, error);
    stack_value = JS_GetPropertyStr(ctx, error, "stack");
    stack = JS_ToCString(ctx, stack_value);
    printf("uncaught: %s\n%s\n", text ? text : "?", stack ? stack : "");
    JS_FreeCString(ctx, text);
    JS_FreeCString(ctx, stack);
    JS_FreeValue(ctx, stack_value);
    JS_FreeValue(ctx, error);
    return 1;
}

static int load_prelude(JSContext *ctx, const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    JSValue function = JS_Eval(ctx, text, length, "prelude.js", JS_EVAL_TYPE_GLOBAL);
    JSValue host, result;

    free(text);
    if (JS_IsException(function))
        return report(ctx, function);
    host = make_host(ctx);
    result = JS_Call(ctx, function, JS_UNDEFINED, 1, (JSValueConst *)&host);
    JS_FreeValue(ctx, function);
    JS_FreeValue(ctx, host);
    return report(ctx, result);
}

static JSContext *new_realm(JSRuntime *rt)
{
    JSContext *ctx = JS_NewContext(rt);

    JS_AddIntrinsicBigInt(ctx);
    JS_AddIntrinsicDOMException(ctx);
    return ctx;
}

static JSValue install_timers(JSContext *ctx)
{
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue make = JS_Eval(ctx, timers_source, sizeof(timers_source) - 1, "timers", 0);
    JSValue advance = JS_NewCFunction(ctx, host_advance, "advance", 1);
    JSValue step = JS_Call(ctx, make, JS_UNDEFINED, 1, (JSValueConst *)&advance);

    JS_SetPropertyStr(ctx, global, "advance", advance);
    JS_FreeValue(ctx, make);
    JS_FreeValue(ctx, global);
    return step;
}

static int drain(JSContext *ctx, JSValueConst step)
{
    JSContext *job_ctx;
    JSValue more;
    int status, again = 1;

    while (again) {
        while ((status = JS_ExecutePendingJob(JS_GetRuntime(ctx), &job_ctx)) > 0)
            ;
        if (status < 0)
            return report(ctx, JS_EXCEPTION);
        more = JS_Call(ctx, step, JS_UNDEFINED, 0, NULL);
        if (JS_IsException(more))
            return report(ctx, more);
        again = JS_ToBool(ctx, more);
    }
    return 0;
}

static double milliseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

typedef struct Timing {
    double parse_ms, evaluate_ms;
    long long kept_bytes;
} Timing;

/* Makes one realm and gives it the prelude, from its text or from bytecode that carries no text. */
static int time_once(const char *text, size_t length, int from_bytecode, Timing *out)
{
    JSRuntime *rt = JS_NewRuntime();
    JSContext *ctx = new_realm(rt);
    JSValue step = install_timers(ctx), host = make_host(ctx), function, result;
    JSMemoryUsage before, after;
    double start;
    uint8_t *code;
    size_t code_length;

    JS_ComputeMemoryUsage(rt, &before);
    start = milliseconds();
    function = JS_Eval(ctx, text, length, "prelude.js", JS_EVAL_FLAG_COMPILE_ONLY);
    out->parse_ms = milliseconds() - start;
    if (from_bytecode) {
        code = JS_WriteObject(ctx, &code_length, function,
                              JS_WRITE_OBJ_BYTECODE | JS_WRITE_OBJ_STRIP_SOURCE);
        JS_FreeValue(ctx, function);
        start = milliseconds();
        function = JS_ReadObject(ctx, code, code_length, JS_READ_OBJ_BYTECODE);
        out->parse_ms = milliseconds() - start;
        js_free(ctx, code);
    }
    start = milliseconds();
    function = JS_EvalFunction(ctx, function);
    result = JS_Call(ctx, function, JS_UNDEFINED, 1, (JSValueConst *)&host);
    out->evaluate_ms = milliseconds() - start;
    JS_FreeValue(ctx, function);
    JS_FreeValue(ctx, host);
    JS_RunGC(rt);
    JS_ComputeMemoryUsage(rt, &after);
    out->kept_bytes = after.memory_used_size - before.memory_used_size;
    if (report(ctx, result))
        return 1;
    JS_FreeValue(ctx, step);
    JS_FreeContext(ctx);
    JS_FreeRuntime(rt);
    return 0;
}

static int time_prelude(const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    int from_bytecode, i;

    for (from_bytecode = 0; from_bytecode < 2; from_bytecode++) {
        Timing best = {1e9, 1e9, 0}, one;

        for (i = 0; i < 20; i++) {
            if (time_once(text, length, from_bytecode, &one))
                return 1;
            best.parse_ms = one.parse_ms < best.parse_ms ? one.parse_ms : best.parse_ms;
            if (one.evaluate_ms < best.evaluate_ms)
                best.evaluate_ms = one.evaluate_ms;
            best.kept_bytes = one.kept_bytes;
        }
        printf("%s: %.2f ms to read, %.2f ms to evaluate, %lld KiB kept\n",
               from_bytecode ? "bytecode" : "text", best.parse_ms, best.evaluate_ms,
               best.kept_bytes / 1024);
    }
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    JSRuntime *rt;
    JSContext *ctx;
    JSValue step;
    size_t length;
    char *text;
    int failed;

    if (argc == 3 && strcmp(argv[1], "--time") == 0)
        return time_prelude(argv[2]);
    if (argc != 3) {
        fprintf(stderr, "usage: run [--time] prelude.js [script.js]\n");
        return 2;
    }
    rt = JS_NewRuntime();
    ctx = new_realm(rt);
    step = install_timers(ctx);
    failed = load_prelude(ctx, argv[1]);
    if (!failed) {
        text = read_file(argv[2], &length);
        failed = report(ctx, JS_Eval(ctx, text, length, "test.js", JS_EVAL_TYPE_GLOBAL));
        free(text);
    }
    if (!failed)
        failed = drain(ctx, step);
    JS_FreeValue(ctx, step);
    JS_FreeContext(ctx);
    JS_FreeRuntime(rt);
    return failed;
}
