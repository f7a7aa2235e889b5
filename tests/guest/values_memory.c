/* Every allocation refused in its turn: of the engine's, and of the output's. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "values.h"

/* Refuses the n-th allocation and every later one, until it is told otherwise. */
typedef struct Refuser {
    long left; /* negative: none is refused */
} Refuser;

static bool refuse_one(Refuser *r)
{
    if (r->left < 0)
        return false;
    if (r->left == 0)
        return true;
    r->left--;
    return false;
}

static void *engine_calloc(void *opaque, size_t count, size_t size)
{
    return refuse_one(opaque) ? NULL : calloc(count, size);
}

static void *engine_malloc(void *opaque, size_t size)
{
    return refuse_one(opaque) ? NULL : malloc(size);
}

static void engine_free(void *opaque, void *block)
{
    (void)opaque;
    free(block);
}

static void *engine_realloc(void *opaque, void *block, size_t size)
{
    if (size == 0) {
        free(block);
        return NULL;
    }
    return refuse_one(opaque) ? NULL : realloc(block, size);
}

static void *output_resize(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    (void)old_bytes;
    if (new_bytes == 0) {
        free(old);
        return NULL;
    }
    return refuse_one(context) ? NULL : realloc(old, new_bytes);
}

static const char everything[] =
    "(() => { const sh = {t: 1}; return {u: [undefined, null, true, 1, -300, 1.5, -0, 'text', "
    "'\\ud800', 5n, -(2n**70n)], d: new Date(1500), r: /a(b)c/gi, m: new Map([[1, sh], ['k', new "
    "Set([sh, 2, 3, 4, 5, 6, 7, 8])]]), b: [new Uint8Array([1, 2, 3]), new Float64Array([1, 2]), "
    "new ArrayBuffer(2), new DataView(new ArrayBuffer(3))], e: new AggregateError([new TypeError("
    "'x', {cause: sh})], 'm'), '\\udc00': sh, 7: 1, 3: 2, many: Array.from({length: 20}, (_, i) => "
    "({['key' + i]: [i]})), rope: 'x'.repeat(600) + '\\u20ac'.repeat(9000)} })()";

typedef struct Memory {
    Checks *c;
    Refuser engine;
    Refuser output;
    Buf out;
    JSValue value;
} Memory;

static const ValueLimits limits = {.bytes = 1 << 20, .depth = 100};

static bool try_write(Memory *m)
{
    char message[VALUE_MESSAGE_MIN];

    buf_release(&m->out);
    buf_clear(&m->out);
    ValueStatus status =
        value_write(m->c->ctx, m->value, "result", &limits, NULL, &m->out, message, sizeof message);
    check(m->c, status == VALUE_OK || (status == VALUE_NOMEM && m->out.length == 0 && message[0]),
          "writing without memory", message);
    return status == VALUE_OK;
}

static bool try_read(Memory *m)
{
    JSValue back = JS_UNDEFINED;
    ValueStatus status =
        value_read(m->c->ctx, m->c->out.data, m->c->out.length, &limits, NULL, &back);

    /* A pattern that cannot be compiled for want of memory cannot be told from a wrong one. */
    check(m->c, status == VALUE_OK || status == VALUE_NOMEM || status == VALUE_MALFORMED,
          "reading without memory", "has another status");
    JS_FreeValue(m->c->ctx, back);
    return status == VALUE_OK;
}

static bool try_describe(Memory *m)
{
    buf_release(&m->out);
    buf_clear(&m->out);
    error_write(m->c->ctx, m->value, &m->out);
    return !m->out.failed;
}

static bool try_clone(Memory *m)
{
    JSValue copy = value_clone(m->c->ctx, m->value, JS_UNDEFINED);
    bool done = !JS_IsException(copy);

    JS_FreeValue(m->c->ctx, copy);
    JS_FreeValue(m->c->ctx, JS_GetException(m->c->ctx));
    return done;
}

/* Refuse the first allocation, then the second...; until it succeeds several times running. */
static void refuse_each(Memory *m, Refuser *refuser, bool (*act)(Memory *), const char *what)
{
    unsigned successes = 0;
    long n = 0;

    for (; successes < 40 && n < 20000; n++) {
        refuser->left = n;
        bool done = act(m);
        refuser->left = -1;
        successes = done ? successes + 1 : 0;
        check(m->c, !JS_HasException(m->c->ctx), what, "leaves an exception");
    }
    check(m->c, successes == 40, what, "never succeeds");
    JS_RunGC(m->c->rt);
}

static void open_realm(Memory *m)
{
    static const JSMallocFunctions functions = {engine_calloc, engine_malloc, engine_free,
                                                engine_realloc, NULL};

    m->c->rt = JS_NewRuntime2(&functions, &m->engine);
    m->c->ctx = JS_NewContext(m->c->rt);
}

/* The engine's own limit, as the guest sets it. */
static void test_limit(Memory *m)
{
    JSMemoryUsage usage;

    JS_ComputeMemoryUsage(m->c->rt, &usage);
    for (size_t room = 0; room < 60000; room += 613) {
        JS_SetMemoryLimit(m->c->rt, (size_t)usage.malloc_size + room);
        try_write(m);
        try_read(m);
        try_describe(m);
        try_clone(m);
    }
    JS_SetMemoryLimit(m->c->rt, 0);
}

void test_memory(Checks *c)
{
    Memory m = {.c = c, .engine = {.left = -1}, .output = {.left = -1}};
    const tn_allocator allocator = {.context = &m.output, .resize = output_resize};
    char message[VALUE_MESSAGE_MIN];

    realm_close(c);
    open_realm(&m);
    buf_init(&m.out, &allocator, SIZE_MAX);
    m.value = eval(c, everything);
    check(c, write_with(c, m.value, &limits, message) == VALUE_OK, everything, message);
    refuse_each(&m, &m.output, try_write, "output of writing");
    refuse_each(&m, &m.output, try_describe, "output of describing");
    refuse_each(&m, &m.engine, try_write, "writing");
    refuse_each(&m, &m.engine, try_read, "reading");
    refuse_each(&m, &m.engine, try_describe, "describing");
    refuse_each(&m, &m.engine, try_clone, "cloning");
    test_limit(&m);
    buf_release(&m.out);
    JS_FreeValue(c->ctx, m.value);
}
