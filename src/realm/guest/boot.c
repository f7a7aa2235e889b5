/* Setting a realm up: the engine, our globals, the prelude, the packages. What is here when
 * `freeze` returns is the image; every run starts from a copy of it. */
#include <stdlib.h>
#include <string.h>

#include "guest.h"
#include "inside_inspect.h"

Guest guest;
GuestMailbox mailbox;

/* The stack the engine counts is the linear one: 4 MiB by the linker, less a reserve. */
enum { LINEAR_STACK_BYTES = 4 * 1024 * 1024 - 256 * 1024 };

/* What must be left of the native stack for code that does not ask again. */
enum { NATIVE_RESERVE_BYTES = 512 * 1024 };

/* Asked by code of ours that recurses as well: either stack may end first. The linear one is the
 * first 4 MiB of memory and grows down. */
enum { LINEAR_RESERVE_BYTES = 256 * 1024 };

bool guest_stack_low(void)
{
    volatile char here = 0;

    return (uintptr_t)&here < LINEAR_RESERVE_BYTES || host_headroom() < NATIVE_RESERVE_BYTES;
}

int guest_zone_offset(double time_ms, int is_local)
{
    return (int)(-host_zone(time_ms, (uint32_t)is_local) / 60000);
}

double guest_wall_ms(void)
{
    return host_clock(1);
}

ValueLimits limits_of(uint64_t bytes)
{
    return (ValueLimits){.bytes = bytes, .depth = mailbox.depth ? mailbox.depth : 1000};
}

/* ---- what the prelude is given: src/realm/prelude/index.js says what it expects ---- */

static JSValue prelude_print(JSContext *context, JSValueConst self, int count, JSValueConst *values)
{
    int32_t level = 1;
    size_t length;
    (void)self, (void)count;

    JS_ToInt32(context, &level, values[0]);
    const char *text = JS_ToCStringLen(context, &length, values[1]);
    if (!text)
        return JS_EXCEPTION;
    host_print((uint32_t)level, (uint32_t)(uintptr_t)text, (uint32_t)length);
    JS_FreeCString(context, text);
    return JS_UNDEFINED;
}

static JSValue prelude_clock(JSContext *context, JSValueConst self, int count, JSValueConst *values,
                             int which)
{
    (void)self, (void)count, (void)values;
    return JS_NewFloat64(context, host_clock((uint32_t)which));
}

static JSValue prelude_clone(JSContext *context, JSValueConst self, int count, JSValueConst *values)
{
    (void)self;
    return value_clone(context, count > 0 ? values[0] : JS_UNDEFINED,
                       count > 1 ? values[1] : JS_UNDEFINED);
}

static JSValue prelude_random(JSContext *context, JSValueConst self, int count,
                              JSValueConst *values)
{
    size_t length;
    (void)self, (void)count;

    uint8_t *bytes = JS_GetUint8Array(context, &length, values[0]);
    if (!bytes)
        return JS_EXCEPTION;
    host_random((uint32_t)(uintptr_t)bytes, (uint32_t)length);
    return JS_UNDEFINED;
}

static JSValue prelude_object(JSContext *context)
{
    static const JSCFunctionListEntry entries[] = {
        JS_CFUNC_DEF("print", 2, prelude_print),
        JS_CFUNC_MAGIC_DEF("now", 0, prelude_clock, 0),
        JS_CFUNC_MAGIC_DEF("wall", 0, prelude_clock, 1),
        JS_CFUNC_DEF("clone", 2, prelude_clone),
        JS_CFUNC_DEF("random", 1, prelude_random),
    };
    JSValue host = JS_NewObject(context);

    JS_SetPropertyFunctionList(context, host, entries, sizeof entries / sizeof *entries);
    JS_DefinePropertyValueStr(context, host, "inspect", inspect_intrinsics(context), JS_PROP_C_W_E);
    return host;
}

static bool delete_global(const char *name)
{
    JSValue global = JS_GetGlobalObject(guest.context);
    JSAtom atom = JS_NewAtom(guest.context, name);
    int done = JS_DeleteProperty(guest.context, global, atom, 0);

    JS_FreeAtom(guest.context, atom);
    JS_FreeValue(guest.context, global);
    return done >= 0;
}

/* ---- exports ---- */

EXPORT(mailbox) uint32_t guest_mailbox(void)
{
    return (uint32_t)(uintptr_t)&mailbox;
}

EXPORT(stopflag) uint32_t guest_stopflag(void)
{
    return (uint32_t)(uintptr_t)&tn_stop_requested;
}

/* Make the engine. The keys are the process's own: names are hashed with them. */
EXPORT(boot) uint32_t guest_boot(uint64_t first_key, uint64_t second_key)
{
    inside_hash_key(first_key, second_key);
    if (!memory_start())
        return 1;
    JS_SetMaxStackSize(guest.runtime, LINEAR_STACK_BYTES);
    guest.context = JS_NewContext(guest.runtime);
    if (!guest.context || JS_AddIntrinsicDOMException(guest.context) < 0)
        return 1;
    JS_SetModuleLoaderFunc(guest.runtime, calls_name, calls_module, NULL);
    buf_init(&guest.out, &guest.allocator, SIZE_MAX);
    /* No shared memory, no waiting: they make a fine clock and nothing else here. */
    if (!delete_global("SharedArrayBuffer") || !delete_global("Atomics") ||
        !delete_global("performance"))
        return 1;
    return !timers_start() || !report_start() || !calls_start();
}

/* Evaluate the prelude's text: an expression, a function of the object above. */
EXPORT(prelude) uint32_t guest_prelude(uint32_t address, uint32_t length)
{
    JSContext *context = guest.context;
    const char *text = (const char *)(uintptr_t)address;
    JSValue function = JS_Eval(context, text, length, "", JS_EVAL_TYPE_GLOBAL);
    free((void *)(uintptr_t)address);
    if (JS_IsException(function))
        return 1;
    JSValue host = prelude_object(context);
    JSValue result = JS_Call(context, function, JS_UNDEFINED, 1, &host);
    bool failed = JS_IsException(result);

    JS_FreeValue(context, host);
    JS_FreeValue(context, function);
    JS_FreeValue(context, result);
    return failed;
}

EXPORT(freeze) void guest_freeze(void)
{
    calls_freeze();
    memory_freeze();
}

/* A place for the host to put bytes. Freed by whichever export receives it. */
EXPORT(buffer) uint32_t guest_buffer(uint32_t length)
{
    return (uint32_t)(uintptr_t)malloc(length ? length : 1);
}
