/* One program: compiled, begun, turned until it is settled, its value or error written out.
 *
 * The program's text is parsed alone, as a module that may `return`; there is no wrapper text it
 * could break out of. Whatever is handed to the host is written by value_write.c and value_error.c,
 * which run none of the program's code. */
#include <stdlib.h>
#include <string.h>

#include "cbor.h"
#include "guest.h"

static JSValue program = JS_UNDEFINED;
static uint32_t program_flags;

static void put_out(void)
{
    mailbox.out_address = (uint32_t)(uintptr_t)guest.out.data;
    mailbox.out_length = guest.out.failed ? 0 : (uint32_t)guest.out.length;
}

static uint32_t put_error(JSValueConst error, uint32_t answer)
{
    buf_clear(&guest.out);
    error_write(guest.context, error, &guest.out);
    put_out();
    return guest.out.failed ? GUEST_FAILED : answer;
}

/* ---- compile ---- */

static bool begins_with_brace(const char *text, size_t length)
{
    const char *end = text + length;

    text = inside_skip_filler(text, end, "");
    return text < end && *text == '{';
}

/* Take the text (and the name): `{a: 1}` is first tried as an expression, since an object is what
 * is meant; a block that is no object is a program. */
EXPORT(compile)
uint32_t guest_compile(uint32_t address, uint32_t length, uint32_t name_address)
{
    JSContext *context = guest.context;
    const char *name = (const char *)(uintptr_t)name_address;
    uint32_t flags = 0, line = 0, column = 0;
    JSValue module = JS_EXCEPTION;

    memory_limit(mailbox.memory_bytes);
    guest.text = (char *)(uintptr_t)address;
    guest.text_length = length;
    if (begins_with_brace(guest.text, length)) {
        module = inside_compile(context, guest.text, length, name, COMPILE_EXPRESSION, &flags,
                                &line, &column);
        if (JS_IsException(module))
            JS_FreeValue(context, JS_GetException(context));
    }
    if (JS_IsException(module) && !tn_stop_requested)
        module = inside_compile(context, guest.text, length, name, COMPILE_PROGRAM, &flags, &line,
                                &column);
    mailbox.compiled_flags = program_flags = flags;
    mailbox.return_line = line;
    mailbox.return_column = column;
    mailbox.memory_refused = tn_memory_refused;
    if (JS_IsException(module)) {
        JSValue error = JS_GetException(context);
        uint32_t answer = put_error(error, GUEST_SYNTAX_ERROR);
        JS_FreeValue(context, error);
        return answer == GUEST_SYNTAX_ERROR ? GUEST_SYNTAX_ERROR : GUEST_COMPILE_FAILED;
    }
    program = module;
    return GUEST_COMPILED;
}

/* ---- begin ---- */

static bool define_inputs(JSContext *context, const uint8_t *bytes, uint32_t length)
{
    JSPropertyEnum *members = NULL;
    uint32_t count = 0;
    JSValue inputs = calls_read(context, "the input", bytes, length, UINT64_MAX);
    bool done = !JS_IsException(inputs) &&
                JS_GetOwnPropertyNames(context, &members, &count, inputs, JS_GPN_STRING_MASK) == 0;

    JSValue global = JS_GetGlobalObject(context);
    for (uint32_t i = 0; done && i < count; i++) {
        JSValue value = JS_GetProperty(context, inputs, members[i].atom);
        done = JS_DefinePropertyValue(context, global, members[i].atom, value, JS_PROP_C_W_E) == 1;
        if (!done && !JS_HasException(context)) {
            const char *name = JS_AtomToCString(context, members[i].atom);
            JS_ThrowTypeError(context, "an input cannot be named %s: that name is the language's",
                              name ? name : "so");
            JS_FreeCString(context, name);
        }
    }
    JS_FreePropertyEnum(context, members, count);
    JS_FreeValue(context, global);
    JS_FreeValue(context, inputs);
    return done;
}

/* What the host may want to know after each stay. */
static void tell(void)
{
    bool intervals_only;

    mailbox.open_calls = calls_open();
    mailbox.rejections = report_count();
    mailbox.jobs_waiting = JS_IsJobPending(guest.runtime);
    mailbox.next_timer_ms = timers_next(&intervals_only);
    mailbox.intervals_only = intervals_only;
    mailbox.memory_refused |= tn_memory_refused;
    mailbox.used_bytes = memory_used();
    mailbox.peak_bytes = memory_peak();
}

static uint32_t fail_now(void)
{
    JSValue error = JS_GetException(guest.context);
    uint32_t answer = put_error(error, GUEST_THREW);

    guest.settled = true;
    JS_FreeValue(guest.context, error);
    tell();
    return answer;
}

static uint32_t turn_and_tell(void);

/* Start the program with its inputs (CBOR, an object; length 0: none). */
EXPORT(begin) uint32_t guest_begin(uint32_t address, uint32_t length)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)address;

    memory_limit(mailbox.memory_bytes);
    inside_seed(guest.context, mailbox.random_seed);
    if (length > 0 && !define_inputs(guest.context, bytes, length))
        return fail_now();
    if (length > 0)
        free(bytes);
    if (inside_begin(guest.context, program) < 0 && !tn_stop_requested)
        return fail_now();
    return turn_and_tell();
}

/* What the host keeps of this realm: numbers from 1; free places are undefined. */
static struct {
    JSValue *values;
    uint32_t count;
} held;

/* Takes the value over; 0 if there is no memory for its place. */
static uint32_t hold(JSValue value)
{
    uint32_t place = 0;

    while (place < held.count && !JS_IsUndefined(held.values[place]))
        place++;
    if (place == held.count) {
        uint32_t count = held.count * 2 + 4;
        JSValue *grown = js_realloc_rt(guest.runtime, held.values, count * sizeof *grown);
        if (!grown) {
            JS_FreeValue(guest.context, value);
            return 0;
        }
        for (uint32_t i = held.count; i < count; i++)
            grown[i] = JS_UNDEFINED;
        held.values = grown;
        held.count = count;
    }
    held.values[place] = value;
    return place + 1;
}

static JSValue held_value(uint32_t number)
{
    return number - 1 < held.count ? held.values[number - 1] : JS_UNDEFINED;
}

/* One call of `invoke`, its arguments read. */
static JSValue invoke(uint32_t what, uint32_t number, const char *name, size_t length, int count,
                      JSValueConst *arguments)
{
    JSContext *context = guest.context;
    JSValueConst self = held_value(number);
    JSValue function, result;

    switch (what) {
    case INVOKE_HELD:
        return JS_Call(context, self, JS_UNDEFINED, count, arguments);
    case INVOKE_NEW:
        result = JS_CallConstructor(context, self, count, arguments);
        if (JS_IsException(result))
            return result;
        mailbox.held = hold(result);
        return mailbox.held ? JS_UNDEFINED : JS_ThrowOutOfMemory(context);
    case INVOKE_METHOD: {
        JSAtom atom = JS_NewAtomLen(context, name, length);
        function = JS_GetProperty(context, self, atom);
        JS_FreeAtom(context, atom);
        break;
    }
    default:
        function = inside_export(context, name, length);
        self = JS_UNDEFINED;
        break;
    }
    if (JS_IsException(function))
        return function;
    result = JS_IsFunction(context, function)
                 ? JS_Call(context, function, self, count, arguments)
                 : JS_ThrowTypeError(context, "there is no function %s", name);
    JS_FreeValue(context, function);
    return result;
}

/* Read the arguments and call. */
static JSValue read_and_invoke(uint32_t what, uint32_t number, const char *name, size_t name_length,
                               const uint8_t *bytes, uint32_t length)
{
    JSContext *context = guest.context;
    JSValue values = calls_read(context, "the arguments", bytes, length, UINT64_MAX);
    JSValue *arguments, result;
    int64_t count = 0;

    if (JS_IsException(values) || JS_GetLength(context, values, &count) < 0)
        return JS_EXCEPTION;
    arguments = js_malloc_rt(guest.runtime, (size_t)(count + 1) * sizeof *arguments);
    if (!arguments)
        return JS_ThrowOutOfMemory(context);
    for (int64_t i = 0; i < count; i++)
        arguments[i] = JS_GetPropertyInt64(context, values, i);
    result = invoke(what, number, name, name_length, (int)count, arguments);
    for (int64_t i = 0; i < count; i++)
        JS_FreeValue(context, arguments[i]);
    js_free_rt(guest.runtime, arguments);
    JS_FreeValue(context, values);
    return result;
}

/* Call an exported function, or what is held, with arguments (CBOR, an array). */
EXPORT(invoke)
uint32_t guest_invoke(uint32_t what, uint32_t number, uint32_t name_address, uint32_t name_length,
                      uint32_t address, uint32_t length)
{
    JSContext *context = guest.context;

    guest.settled = false;
    mailbox.held = 0;
    inside_forget_stop();
    inside_forget_dropped();
    tn_memory_refused = 0;
    memory_limit(mailbox.memory_bytes);
    JSValue result = read_and_invoke(what, number, (const char *)(uintptr_t)name_address,
                                     name_length, (uint8_t *)(uintptr_t)address, length);
    free((void *)(uintptr_t)name_address);
    free((void *)(uintptr_t)address);
    if (JS_IsException(result) && !tn_stop_requested)
        return fail_now();
    JSValue resolve[2] = {JS_UNDEFINED, JS_UNDEFINED};
    JSValue promise = JS_NewPromiseCapability(context, resolve);
    if (JS_IsException(promise))
        return fail_now();
    JS_FreeValue(context, JS_Call(context, resolve[0], JS_UNDEFINED, 1, &result));
    JS_FreeValue(context, resolve[0]);
    JS_FreeValue(context, resolve[1]);
    JS_FreeValue(context, result);
    inside_set_promise(context, promise);
    program_flags |= PROGRAM_RETURNS;
    return turn_and_tell();
}

/* Is there an exported function of that name? */
EXPORT(exports) uint32_t guest_exports(uint32_t address, uint32_t length)
{
    JSValue value = inside_export(guest.context, (const char *)(uintptr_t)address, length);
    bool callable = JS_IsFunction(guest.context, value);

    JS_FreeValue(guest.context, value);
    free((void *)(uintptr_t)address);
    return callable;
}

/* Keep the export of that name for the host: its number, 0 if it is no function or object. */
EXPORT(hold) uint32_t guest_hold(uint32_t address, uint32_t length)
{
    JSValue value = inside_export(guest.context, (const char *)(uintptr_t)address, length);

    free((void *)(uintptr_t)address);
    if (!JS_IsObject(value)) {
        JS_FreeValue(guest.context, value);
        return 0;
    }
    mailbox.held_kind = !JS_IsFunction(guest.context, value) ? HELD_OBJECT
                        : inside_is_class(value)             ? HELD_CLASS
                                                             : HELD_FUNCTION;
    return hold(value);
}

EXPORT(drop) void guest_drop(uint32_t number)
{
    JSValue value = held_value(number);

    if (number - 1 < held.count)
        held.values[number - 1] = JS_UNDEFINED;
    JS_FreeValue(guest.context, value);
}

/* ---- turn ---- */

static uint32_t write_value(JSValueConst value)
{
    char message[512];
    ValueLimits limits = limits_of(mailbox.result_bytes);

    buf_clear(&guest.out);
    ValueStatus status = value_write(guest.context, value, "the result", &limits, &value_hooks,
                                     &guest.out, message, sizeof message);
    guest.settled = true;
    switch (status) {
    case VALUE_OK:
        put_out();
        return guest.out.failed ? GUEST_FAILED : GUEST_OK;
    case VALUE_TOO_LARGE:
        return GUEST_RESULT_LARGE;
    case VALUE_NOMEM:
        JS_FreeValue(guest.context, JS_GetException(guest.context));
        mailbox.memory_refused = 1;
        return put_error(JS_NULL, GUEST_THREW);
    default: {
        JS_ThrowTypeError(guest.context, "%s", message);
        JSValue error = JS_GetException(guest.context);
        uint32_t answer = put_error(error, GUEST_RESULT_REFUSED);
        JS_FreeValue(guest.context, error);
        return answer;
    }
    }
}

/* The program's body is done with `value`. True if that is not the end yet: another promise is now
 * waited for. */
static bool goes_on(JSValue *value)
{
    JSContext *context = guest.context;
    JSValue next = JS_UNDEFINED;

    if (!(program_flags & PROGRAM_RETURNS) &&
        (JS_IsUndefined(*value) || (program_flags & PROGRAM_EXPORTS_DEFAULT))) {
        JSValue exported = inside_export(context, "default", 7);
        program_flags |= PROGRAM_RETURNS;
        if (JS_IsUninitialized(exported))
            return false;
        /* `export default async () => ...`: a program written as one function of nothing */
        next = inside_takes_nothing(exported) ? JS_Call(context, exported, JS_UNDEFINED, 0, NULL)
                                              : JS_DupValue(context, exported);
        JS_FreeValue(context, exported);
    } else if (JS_IsFunction(context, *value) && guest.text &&
               inside_is_whole(context, *value, guest.text, guest.text_length)) {
        /* the whole program is one function: what it returns is meant */
        guest.text = NULL;
        next = JS_Call(context, *value, JS_UNDEFINED, 0, NULL);
    } else {
        return false;
    }
    JSValue resolve[2] = {JS_UNDEFINED, JS_UNDEFINED};
    bool failed = JS_IsException(next);
    if (failed)
        next = JS_GetException(context);
    JSValue promise = JS_NewPromiseCapability(context, resolve);
    if (JS_IsException(promise)) {
        /* no memory even for that: the value stays what it was, and cannot cross */
        JS_FreeValue(context, JS_GetException(context));
        JS_FreeValue(context, next);
        return false;
    }
    JS_FreeValue(context, JS_Call(context, resolve[failed], JS_UNDEFINED, 1, &next));
    JS_FreeValue(context, next);
    JS_FreeValue(context, resolve[0]);
    JS_FreeValue(context, resolve[1]);
    inside_set_promise(context, promise);
    return true;
}

/* Not for the host: another promise is to be looked at. */
enum { AGAIN = 100 };

static uint32_t check_settled(void)
{
    JSContext *context = guest.context;
    JSValueConst promise = inside_promise();
    uint32_t answer = GUEST_WAITING;

    if (guest.settled)
        return GUEST_IDLE;
    switch (JS_PromiseState(context, promise)) {
    case JS_PROMISE_FULFILLED: {
        if (mailbox.for_exports) {
            mailbox.for_exports = 0;
            guest.settled = true;
            mailbox.out_length = 0;
            return GUEST_OK;
        }
        JSValue value = JS_PromiseResult(context, promise);
        answer = goes_on(&value) ? AGAIN : write_value(value);
        JS_FreeValue(context, value);
        return answer;
    }
    case JS_PROMISE_REJECTED: {
        JSValue error = JS_PromiseResult(context, promise);
        inside_handled(context, promise);
        answer = put_error(error, GUEST_THREW);
        guest.settled = true;
        JS_FreeValue(context, error);
        return answer;
    }
    default:
        return GUEST_WAITING;
    }
}

static bool run_job(void)
{
    JSContext *context;
    int done = JS_ExecutePendingJob(guest.runtime, &context);

    if (done < 0)
        JS_FreeValue(guest.context, JS_GetException(guest.context));
    return done != 0;
}

/* Run what can be run now. Jobs (promise reactions) before each timer, as everywhere. The value is
 * written the moment it is settled, before anything later can change it. */
static uint32_t run_turn(void)
{
    for (;;) {
        /* looked at between jobs: some programs never run out of them */
        uint32_t answer = check_settled();
        if (tn_stop_requested)
            return put_error(inside_stop_error(), GUEST_STOPPED);
        if (answer == AGAIN)
            continue;
        if ((answer == GUEST_WAITING || answer == GUEST_IDLE) && run_job())
            continue;
        if (tn_stop_requested)
            return put_error(inside_stop_error(), GUEST_STOPPED);
        if ((answer != GUEST_WAITING && answer != GUEST_IDLE) || !timers_run())
            return answer;
    }
}

static uint32_t turn_and_tell(void)
{
    uint32_t answer = run_turn();

    tell();
    return answer;
}

EXPORT(turn) uint32_t guest_turn(void)
{
    inside_forget_dropped();
    return turn_and_tell();
}

/* ---- what else the host may ask at the end ---- */

/* Where the program waits: line in the high half, column in the low; 0 if nowhere. */
EXPORT(waiting) uint64_t guest_waiting(void)
{
    uint32_t line, column;

    if (!inside_waiting(guest.context, &line, &column))
        return 0;
    return (uint64_t)line << 32 | column;
}

EXPORT(rejections) uint32_t guest_rejections(void)
{
    buf_clear(&guest.out);
    report_rejections(&guest.out);
    put_out();
    return guest.out.failed ? GUEST_FAILED : GUEST_OK;
}
