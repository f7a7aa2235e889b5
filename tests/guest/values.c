/* Values both ways, natively: the engine with inside_values.c, and the value_*.c files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "values.h"

static const char *stack_top;

/* The guest has its own measure; here: four of the eight megabytes that a main thread has. */
bool guest_stack_low(void)
{
    /* not the address of a variable: sanitizers keep those elsewhere */
    const char *at = __builtin_frame_address(0);

    return stack_top - at > (4 << 20);
}

/* The other thing that the engine asks of the guest: here all local time is UTC. */
int guest_zone_offset(double time_ms, int is_local);

int guest_zone_offset(double time_ms, int is_local)
{
    (void)time_ms;
    (void)is_local;
    return 0;
}

void realm_open(Checks *c)
{
    c->rt = JS_NewRuntime();
    c->ctx = JS_NewContext(c->rt);
    JS_SetMaxStackSize(c->rt, 2 << 20);
}

void realm_close(Checks *c)
{
    JS_FreeContext(c->ctx);
    JS_FreeRuntime(c->rt);
}

void check(Checks *c, bool passed, const char *what, const char *detail)
{
    if (passed) {
        c->passed++;
        return;
    }
    c->failed++;
    printf("FAILED: %.200s\n        %.600s\n", what, detail);
}

JSValue eval(Checks *c, const char *source)
{
    JSValue value = JS_Eval(c->ctx, source, strlen(source), "test.js", JS_EVAL_TYPE_GLOBAL);

    if (!JS_IsException(value))
        return value;
    JSValue thrown = JS_GetException(c->ctx);
    const char *text = JS_ToCString(c->ctx, thrown);
    check(c, false, source, text ? text : "threw");
    JS_FreeCString(c->ctx, text);
    JS_FreeValue(c->ctx, thrown);
    return JS_UNDEFINED;
}

void holds(Checks *c, const char *source)
{
    JSValue value = eval(c, source);

    check(c, JS_IsBool(value) && JS_VALUE_GET_BOOL(value), source, "is not true");
    JS_FreeValue(c->ctx, value);
}

ValueStatus write_with(Checks *c, JSValueConst value, const ValueLimits *limits, char *message)
{
    buf_clear(&c->out);
    return value_write(c->ctx, value, "result", limits, NULL, &c->out, message, VALUE_MESSAGE_MIN);
}

static const ValueLimits generous = {.bytes = 1 << 20, .depth = 200};

size_t hex_bytes(const char *hex, uint8_t *out, size_t size)
{
    size_t length = 0;

    for (const char *at = hex; *at && length < size; at++) {
        char pair[3] = {at[0], at[1], 0};
        if (*at == ' ')
            continue;
        out[length++] = (uint8_t)strtoul(pair, NULL, 16);
        at++;
    }
    return length;
}

void bytes_are(Checks *c, const char *source, const char *hex)
{
    char message[VALUE_MESSAGE_MIN], shown[512];
    uint8_t wanted[512];
    size_t length = hex_bytes(hex, wanted, sizeof wanted), at = 0;
    JSValue value = eval(c, source);
    ValueStatus status = write_with(c, value, &generous, message);

    for (size_t i = 0; i < c->out.length && at + 3 < sizeof shown; i++)
        at += (size_t)snprintf(shown + at, sizeof shown - at, "%02x", c->out.data[i]);
    shown[at] = '\0';
    check(c,
          status == VALUE_OK && c->out.length == length && memcmp(c->out.data, wanted, length) == 0,
          source, status == VALUE_OK ? shown : message);
    JS_FreeValue(c->ctx, value);
}

void refused(Checks *c, const char *source, ValueStatus status, const char *text)
{
    char message[VALUE_MESSAGE_MIN];
    JSValue value = eval(c, source);
    ValueStatus got = write_with(c, value, &generous, message);

    check(c, got == status && strstr(message, text) != NULL && c->out.length == 0, source,
          got == VALUE_OK ? "was written" : message);
    JS_FreeValue(c->ctx, value);
}

void comes_back(Checks *c, const char *source, const char *condition)
{
    char message[VALUE_MESSAGE_MIN];
    JSValue value = eval(c, source), back = JS_UNDEFINED;
    JSValue global = JS_GetGlobalObject(c->ctx);
    ValueStatus status = write_with(c, value, &generous, message);
    Buf first = c->out;

    check(c, status == VALUE_OK, source, message);
    buf_init(&c->out, memory_default(), SIZE_MAX);
    status = value_read(c->ctx, first.data, first.length, &generous, NULL, &back);
    check(c, status == VALUE_OK, source, "cannot be read");
    status = write_with(c, back, &generous, message);
    check(c,
          status == VALUE_OK && c->out.length == first.length &&
              memcmp(c->out.data, first.data, first.length) == 0,
          source, "is not written the same again");
    JS_DefinePropertyValueStr(c->ctx, global, "v", back, JS_PROP_C_W_E);
    if (condition)
        holds(c, condition);
    buf_release(&first);
    JS_FreeValue(c->ctx, global);
    JS_FreeValue(c->ctx, value);
}

void unreadable(Checks *c, const char *hex, ValueStatus status)
{
    uint8_t bytes[512];
    size_t length = hex_bytes(hex, bytes, sizeof bytes);
    JSValue value = JS_UNINITIALIZED;
    ValueStatus got = value_read(c->ctx, bytes, length, &generous, NULL, &value);

    check(c, got == status && JS_VALUE_GET_TAG(value) == JS_TAG_UNINITIALIZED, hex,
          got == VALUE_OK ? "was read" : "has another status");
    if (got == VALUE_OK)
        JS_FreeValue(c->ctx, value);
}

int main(void)
{
    static void (*const tests[])(Checks *) = {test_write,  test_read,  test_hostile,
                                              test_errors, test_clone, test_memory};
    Checks c = {.rt = NULL};

    stack_top = __builtin_frame_address(0);
    buf_init(&c.out, memory_default(), SIZE_MAX);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        realm_open(&c);
        tests[i](&c);
        realm_close(&c);
    }
    buf_release(&c.out);
    printf("%u passed, %u failed\n", c.passed, c.failed);
    return c.failed == 0 ? 0 : 1;
}
