/* How programs end in quickjs-ng as it comes: see verdict.h. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "quickjs.h"
#include "verdict.h"

static uint64_t deadline_ns;
static bool stopped;

static uint64_t cpu_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int interrupt(JSRuntime *runtime, void *opaque)
{
    (void)runtime, (void)opaque;
    if (cpu_now_ns() >= deadline_ns)
        stopped = true;
    return stopped;
}

static void say_js(JSContext *context, const char *first, JSValueConst value)
{
    size_t length;
    const char *text = JS_ToCStringLen(context, &length, value);

    if (text)
        say(first, text, length);
    else
        puts("threw");
    JS_FreeCString(context, text);
}

static void say_error(JSContext *context, JSValueConst error)
{
    JSValue name = JS_GetPropertyStr(context, error, "name");

    if (JS_IsException(name))
        puts("threw");
    else
        say_js(context, "threw ", name);
    JS_FreeValue(context, name);
}

/* What the text set as its verdict, if it did. */
static void say_completed(JSContext *context)
{
    JSValue global = JS_GetGlobalObject(context);
    JSValue verdict = JS_GetPropertyStr(context, global, "tnVerdict");
    const char *text = JS_IsString(verdict) ? JS_ToCString(context, verdict) : NULL;
    size_t mark = strlen(VERDICT_MARK);

    if (text && strncmp(text, VERDICT_MARK, mark) == 0)
        say("", text + mark, strlen(text) - mark);
    else
        puts("completed");
    JS_FreeCString(context, text);
    JS_FreeValue(context, verdict);
    JS_FreeValue(context, global);
}

static void say_settled(JSContext *context, JSValueConst promise)
{
    JSValue reason;

    switch (JS_PromiseState(context, promise)) {
    case JS_PROMISE_FULFILLED:
        say_completed(context);
        break;
    case JS_PROMISE_REJECTED:
        reason = JS_PromiseResult(context, promise);
        say_error(context, reason);
        JS_FreeValue(context, reason);
        break;
    default:
        puts("never settled");
    }
}

/* The same world as in Tenon: no shared memory. */
static void remove_globals(JSContext *context)
{
    static const char text[] = "delete globalThis.SharedArrayBuffer; delete globalThis.Atomics;"
                               "delete globalThis.performance;";

    JS_FreeValue(context, JS_Eval(context, text, sizeof text - 1, "", JS_EVAL_TYPE_GLOBAL));
}

static void judge_in(JSContext *context, const char *text, size_t length)
{
    JSValue module = JS_Eval(context, text, length, "program.js",
                             JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    JSContext *other;

    if (JS_IsException(module)) {
        puts("refused");
        JS_FreeValue(context, JS_GetException(context));
        return;
    }
    JSValue promise = JS_EvalFunction(context, module);
    while (!stopped && JS_ExecutePendingJob(JS_GetRuntime(context), &other) != 0)
        continue;
    if (stopped) {
        puts("limit cpu");
    } else if (JS_IsException(promise)) {
        JSValue error = JS_GetException(context);
        say_error(context, error);
        JS_FreeValue(context, error);
    } else {
        say_settled(context, promise);
    }
    JS_FreeValue(context, promise);
}

static void judge(const char *text, size_t length)
{
    JSRuntime *runtime = JS_NewRuntime();
    JSContext *context = JS_NewContext(runtime);

    stopped = false;
    deadline_ns = cpu_now_ns() + VERDICT_CPU_MS * 1000000u;
    JS_SetMemoryLimit(runtime, VERDICT_MEMORY_BYTES);
    JS_SetInterruptHandler(runtime, interrupt, NULL);
    JS_SetMaxStackSize(runtime, 4 << 20);
    remove_globals(context);
    judge_in(context, text, length);
    JS_FreeContext(context);
    JS_FreeRuntime(runtime);
}

int main(void)
{
    judge_all(judge);
    return 0;
}
