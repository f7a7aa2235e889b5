/*
 * Values of the program, as bytes and back.
 *
 * A value leaves and enters the realm as CBOR (docs/values.md). It is written from the engine's
 * own structs and read into fresh objects, and neither runs any of the program's code: no getter,
 * toJSON, proxy trap, Symbol.toPrimitive, patched built-in or inherited setter. What cannot be
 * written without asking the program is refused, with the path to it.
 *
 *   inside_values  windows into the engine (appended to the engine's source)
 *   value_text     strings and property keys, piece by piece, as UTF-8
 *   value_path     where in a value something is, as text for a message
 *   value_graph    pass one of writing: what is shared, how large it is, what cannot cross
 *   value_write    pass two: the bytes
 *   value_read     the way back
 *   value_error    any thrown value, described
 *   value_clone    structuredClone, which stays inside and is the program's own act
 *
 * The invariant: nothing changes the values between pass one and pass two, since no code of the
 * program runs; so pass two has nothing left to refuse but memory.
 */
#ifndef GUEST_VALUE_H
#define GUEST_VALUE_H

#include "quickjs.h"

#include "buf.h"

typedef struct ValueLimits {
    uint64_t bytes; /* of the value written as a tree: a shared part counts each time it is met,
                     * and what the bytes spend on sharing counts as well */
    uint32_t depth; /* arrays and maps inside each other, in the bytes; an error is two */
} ValueLimits;

typedef enum ValueStatus {
    VALUE_OK,
    VALUE_REFUSED, /* something in it does not cross */
    VALUE_TOO_LARGE,
    VALUE_TOO_DEEP,
    VALUE_NOMEM,
    VALUE_MALFORMED
} ValueStatus;

/** How host references are told from other objects and made. Members may be NULL. */
typedef struct ValueHooks {
    void *context;
    /** Is this object a host reference? The name is borrowed. */
    bool (*reference_of)(void *context, JSContext *ctx, JSValueConst object,
                         const char **out_interface_name, uint32_t *out_id,
                         uint32_t *out_generation);
    /** Make one, or return JS_EXCEPTION. */
    JSValue (*reference_new)(void *context, JSContext *ctx, const char *name, size_t name_length,
                             uint32_t id, uint32_t generation);
} ValueHooks;

/** Is the stack nearly used up? Asked before every level; the embedder of these files has it. */
bool guest_stack_low(void);

/** Least size of a message buffer. */
enum { VALUE_MESSAGE_MIN = 256 };

/**
 * Append a value's bytes to `out`.
 *
 * `root` is what messages call the value: "result", "argument 1 of github.list". On failure `out`
 * is as it was and `message` says what, where and what to do about it.
 */
ValueStatus value_write(JSContext *ctx, JSValueConst value, const char *root,
                        const ValueLimits *limits, const ValueHooks *hooks, Buf *out, char *message,
                        size_t message_size);

/** Make the value that the bytes say: exactly one item. `*out_value` is untouched on failure. */
ValueStatus value_read(JSContext *ctx, const uint8_t *bytes, size_t length,
                       const ValueLimits *limits, const ValueHooks *hooks, JSValue *out_value);

/** Most that error_write appends. */
enum { ERROR_BYTES_MAX = 64 * 1024 };

/**
 * Describe a thrown value, whatever it is: a map of
 *
 *   name, message   text; what is no text is shown as text
 *   stack           text as the engine made it, if any
 *   code            text or number, retryable bool, hint text: own properties, if any
 *   isError         whether it is an Error
 *   value           the value itself, if it crosses and is not too large; else
 *   shown           a short text for it
 *   cause           a description, 8 deep; a cycle ends it
 *   errors          descriptions of the first 8 of an AggregateError's, errorCount: how many
 *
 * Nothing of the program runs, and only `out` can fail.
 */
void error_write(JSContext *ctx, JSValueConst thrown, Buf *out);

/**
 * structuredClone(value, options). Called by the program and as open as the standard says: getters
 * run, and what it throws is left pending (JS_EXCEPTION). Host references do not clone.
 */
JSValue value_clone(JSContext *ctx, JSValueConst value, JSValueConst options);

#endif
