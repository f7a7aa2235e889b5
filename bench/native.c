/* quickjs-ng as it comes, compiled for this machine: what containment is measured against. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quickjs.h"
#include "server.h"

typedef struct World {
    JSRuntime *runtime;
    JSContext *context;
} World;

static World world_new(void)
{
    World world = {.runtime = JS_NewRuntime()};

    if (world.runtime)
        world.context = JS_NewContext(world.runtime);
    if (!world.context)
        give_up("native", "no memory for an engine");
    return world;
}

static void world_free(World *world)
{
    JS_FreeContext(world->context);
    JS_FreeRuntime(world->runtime);
}

static void check(const World *world, JSValueConst value, const char *what)
{
    if (JS_IsException(value)) {
        JSValue error = JS_GetException(world->context);
        give_up(what, JS_ToCString(world->context, error));
    }
}

static JSValue evaluate(const World *world, const char *text, size_t length, int flags)
{
    JSValue value =
        JS_Eval(world->context, text, length, "program.js", JS_EVAL_TYPE_GLOBAL | flags);

    check(world, value, "native");
    return value;
}

/* ---- cases ---- */

static void check_value(unsigned long count, const char *path)
{
    size_t length, written;
    char *text = read_file(path, &length);
    World world = world_new();
    JSValue value = evaluate(&world, text, length, 0);
    JSValue json = JS_JSONStringify(world.context, value, JS_UNDEFINED, JS_UNDEFINED);
    const char *shown = JS_ToCStringLen(world.context, &written, json);
    (void)count;

    answer_text(shown, written);
    JS_FreeCString(world.context, shown);
    JS_FreeValue(world.context, json);
    JS_FreeValue(world.context, value);
    world_free(&world);
    free(text);
}

static void fresh_text(unsigned long count, const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    Elapsed elapsed = {0};

    elapsed_begin(&elapsed);
    for (unsigned long i = 0; i < count; i++) {
        World world = world_new();
        JS_FreeValue(world.context, evaluate(&world, text, length, 0));
        world_free(&world);
    }
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    free(text);
}

/* Compiled before: its byte code is read into the new realm. */
static void fresh_compiled(unsigned long count, const char *path)
{
    size_t length, code_length;
    char *text = read_file(path, &length);
    World first = world_new();
    JSValue program = evaluate(&first, text, length, JS_EVAL_FLAG_COMPILE_ONLY);
    uint8_t *code = JS_WriteObject(first.context, &code_length, program, JS_WRITE_OBJ_BYTECODE);
    Elapsed elapsed = {0};

    elapsed_begin(&elapsed);
    for (unsigned long i = 0; i < count; i++) {
        World world = world_new();
        JSValue read = JS_ReadObject(world.context, code, code_length, JS_READ_OBJ_BYTECODE);
        JSValue value = JS_EvalFunction(world.context, read);
        check(&world, value, "native");
        JS_FreeValue(world.context, value);
        world_free(&world);
    }
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    js_free(first.context, code);
    JS_FreeValue(first.context, program);
    world_free(&first);
    free(text);
}

static void speed(unsigned long count, const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    Elapsed elapsed = {0};

    for (unsigned long i = 0; i < count; i++) {
        World world = world_new();
        elapsed_begin(&elapsed);
        JS_FreeValue(world.context, evaluate(&world, text, length, 0));
        elapsed_end(&elapsed);
        world_free(&world);
    }
    answer_elapsed(&elapsed);
    free(text);
}

static JSValue make(JSContext *context, JSValueConst self, int count, JSValueConst *values)
{
    JSValue object = JS_NewObject(context);
    (void)self, (void)count;

    JS_SetPropertyStr(context, object, "value", JS_DupValue(context, values[0]));
    JS_SetPropertyStr(context, object, "name", JS_NewString(context, "small"));
    return object;
}

static void calls(unsigned long count, const char *argument)
{
    char text[256];
    World world = world_new();
    JSValue global = JS_GetGlobalObject(world.context);
    JSValue host = JS_NewObject(world.context);
    Elapsed elapsed = {0};
    (void)argument;

    JS_SetPropertyStr(world.context, host, "make", JS_NewCFunction(world.context, make, "make", 1));
    JS_SetPropertyStr(world.context, global, "host", host);
    JS_FreeValue(world.context, global);
    snprintf(text, sizeof text,
             "let sum = 0; for (let i = 0; i < %lu; i++) sum += host.make(i).value; sum", count);
    elapsed_begin(&elapsed);
    JS_FreeValue(world.context, evaluate(&world, text, strlen(text), 0));
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    world_free(&world);
}

/* ---- realms on several threads ---- */

typedef struct Worker {
    pthread_t thread;
    unsigned long count;
    const char *text;
    size_t length;
} Worker;

static void *work(void *argument)
{
    const Worker *worker = argument;

    for (unsigned long i = 0; i < worker->count; i++) {
        World world = world_new();
        JS_FreeValue(world.context, evaluate(&world, worker->text, worker->length, 0));
        world_free(&world);
    }
    return NULL;
}

static void on_threads(unsigned threads, unsigned long count, const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    Worker workers[2];
    Elapsed elapsed = {0};

    elapsed_begin(&elapsed);
    for (unsigned i = 0; i < threads; i++) {
        workers[i] = (Worker){.count = count / threads, .text = text, .length = length};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            give_up("native", "no thread");
    }
    for (unsigned i = 0; i < threads; i++)
        pthread_join(workers[i].thread, NULL);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    free(text);
}

static void one_thread(unsigned long count, const char *path)
{
    on_threads(1, count, path);
}

static void two_threads(unsigned long count, const char *path)
{
    on_threads(2, count, path);
}

int main(void)
{
    static const Case cases[] = {
        {"check", check_value},     {"fresh-text", fresh_text}, {"fresh-compiled", fresh_compiled},
        {"speed", speed},           {"calls-sync", calls},      {"threads-1", one_thread},
        {"threads-2", two_threads},
    };

    serve(cases, sizeof cases / sizeof *cases);
    return 0;
}
