/* Pass two of writing a value: the bytes. Pass one (value_graph.c) has refused what does not cross,
 * so the only thing that can still fail is memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "value_parts.h"

/* ---- what both passes ask ---- */

bool number_is_integer(double number, int64_t *out_integer)
{
    const double safe = 9007199254740991.0;

    if (!(number >= -safe && number <= safe))
        return false;
    *out_integer = (int64_t)number;
    return (double)*out_integer == number && !(number == 0 && signbit(number));
}

uint64_t typed_tag(JSTypedArrayEnum type)
{
    static const uint8_t tags[] = {
        [JS_TYPED_ARRAY_UINT8C] = CBOR_TAG_UINT8_CLAMPED,
        [JS_TYPED_ARRAY_INT8] = CBOR_TAG_INT8,
        [JS_TYPED_ARRAY_UINT8] = 0,
        [JS_TYPED_ARRAY_INT16] = CBOR_TAG_INT16,
        [JS_TYPED_ARRAY_UINT16] = CBOR_TAG_UINT16,
        [JS_TYPED_ARRAY_INT32] = CBOR_TAG_INT32,
        [JS_TYPED_ARRAY_UINT32] = CBOR_TAG_UINT32,
        [JS_TYPED_ARRAY_BIG_INT64] = CBOR_TAG_INT64,
        [JS_TYPED_ARRAY_BIG_UINT64] = CBOR_TAG_UINT64,
        [JS_TYPED_ARRAY_FLOAT16] = CBOR_TAG_FLOAT16,
        [JS_TYPED_ARRAY_FLOAT32] = CBOR_TAG_FLOAT32,
        [JS_TYPED_ARRAY_FLOAT64] = CBOR_TAG_FLOAT64,
    };
    return tags[type];
}

uint8_t bigint_byte(JSValueConst value, size_t from_least)
{
    uint32_t scratch[1], count;
    const uint32_t *limbs = inside_bigint(value, scratch, &count);
    uint32_t limb = limbs[from_least / 4];

    /* In two's complement -1 - n is the complement of n: no subtraction is needed. */
    if (limbs[count - 1] >> 31)
        limb = ~limb;
    return (uint8_t)(limb >> 8 * (from_least % 4));
}

size_t bigint_bytes(JSValueConst value, bool *out_minus)
{
    uint32_t scratch[1], count;
    const uint32_t *limbs = inside_bigint(value, scratch, &count);
    size_t bytes = (size_t)count * 4;

    *out_minus = limbs[count - 1] >> 31;
    while (bytes > 0 && bigint_byte(value, bytes - 1) == 0)
        bytes--;
    return bytes;
}

bool reference_of(const Writing *w, InsideKind kind, JSValueConst object, Reference *out)
{
    if (kind != INSIDE_HOST && kind != INSIDE_PLAIN && kind != INSIDE_PROXY)
        return false;
    if (!w->hooks || !w->hooks->reference_of ||
        !w->hooks->reference_of(w->hooks->context, w->ctx, object, &out->name, &out->id,
                                &out->generation))
        return false;
    out->name_length = strlen(out->name);
    return true;
}

/* ---- the kinds ---- */

static void write_value(Writing *w, JSValueConst value);

static void put_bigint(Buf *out, JSValueConst value)
{
    bool minus;
    size_t length = bigint_bytes(value, &minus);

    cbor_put_tag(out, minus ? CBOR_TAG_BIGINT_MINUS : CBOR_TAG_BIGINT);
    cbor_put_head(out, CBOR_BYTES, length);
    while (length > 0)
        buf_append_byte(out, bigint_byte(value, --length));
}

static void write_plain(Writing *w, JSValueConst object)
{
    InsideWalk walk;
    InsideProperty part;

    if (!inside_walk_begin(w->ctx, object, UINT64_MAX, &walk)) {
        w->status = VALUE_NOMEM;
        return;
    }
    cbor_put_map(w->out, walk.count);
    while (w->status == VALUE_OK && inside_walk_next(&walk, &part)) {
        key_put(w->ctx, w->out, part.key);
        write_value(w, part.value);
    }
    inside_walk_end(&walk);
}

static void write_array(Writing *w, JSValueConst array)
{
    uint32_t length, dense, i = 0;
    bool sparse;
    const JSValue *values = inside_array_values(array);

    inside_array(w->ctx, array, &length, &dense, &sparse);
    cbor_put_array(w->out, length);
    for (; values && w->status == VALUE_OK && i < dense; i++)
        write_value(w, values[i]);
    for (; w->status == VALUE_OK && i < length; i++) {
        InsideProperty item;
        inside_array_item(w->ctx, array, i, &item);
        write_value(w, item.value); /* a hole is undefined */
    }
}

static void write_collection(Writing *w, JSValueConst collection, bool is_map)
{
    uint32_t count = inside_collection_count(collection);
    void *cursor = NULL;
    JSValueConst key, value;

    cbor_put_tag(w->out, is_map ? CBOR_TAG_MAP : CBOR_TAG_SET);
    cbor_put_head(w->out, is_map ? CBOR_MAP : CBOR_ARRAY, count);
    while (w->status == VALUE_OK && inside_collection_next(collection, &cursor, &key, &value)) {
        write_value(w, key);
        if (is_map)
            write_value(w, value);
    }
}

static uint64_t error_pairs(Writing *w, JSValueConst error)
{
    ErrorWalk walk;
    InsideProperty part;
    JSValueConst stack;
    uint64_t pairs = error_stack(w->ctx, error, &stack) ? 2 : 1;

    if (!error_walk_begin(w->ctx, error, UINT64_MAX, &walk)) {
        w->status = VALUE_NOMEM;
        return pairs;
    }
    while (error_walk_next(&walk, &part))
        pairs++;
    error_walk_end(&walk);
    return pairs;
}

static void write_error(Writing *w, JSValueConst error)
{
    ErrorText text;
    ErrorWalk walk;
    InsideProperty part;
    JSValueConst stack;

    cbor_put_tag(w->out, CBOR_TAG_ERROR);
    cbor_put_array(w->out, 2);
    error_name(w->ctx, error, &text);
    error_text_put(w->out, &text);
    cbor_put_map(w->out, error_pairs(w, error));
    cbor_put_text(w->out, "message", 7);
    error_message(w->ctx, error, &text);
    error_text_put(w->out, &text);
    if (error_stack(w->ctx, error, &stack)) {
        cbor_put_text(w->out, "stack", 5);
        text_put(w->out, stack);
    }
    if (w->status != VALUE_OK || !error_walk_begin(w->ctx, error, UINT64_MAX, &walk)) {
        w->status = VALUE_NOMEM;
        return;
    }
    while (w->status == VALUE_OK && error_walk_next(&walk, &part)) {
        key_put(w->ctx, w->out, part.key);
        write_value(w, part.value);
    }
    error_walk_end(&walk);
}

static void write_regexp(Writing *w, JSValueConst object)
{
    char flags[10];
    size_t length = inside_regexp_flags(object, flags);
    JSValue source = inside_regexp_source(w->ctx, object);

    if (JS_IsException(source)) {
        w->status = VALUE_NOMEM;
        return;
    }
    cbor_put_tag(w->out, CBOR_TAG_REGEXP);
    cbor_put_array(w->out, 2);
    text_put(w->out, source);
    cbor_put_text(w->out, flags, length);
    JS_FreeValue(w->ctx, source);
}

static void write_bytes(Writing *w, InsideKind kind, JSValueConst object)
{
    InsideBytes bytes;

    inside_bytes(object, &bytes);
    uint64_t tag = kind == INSIDE_BUFFER ? CBOR_TAG_ARRAY_BUFFER
                   : kind == INSIDE_VIEW ? CBOR_TAG_DATA_VIEW
                                         : typed_tag(bytes.type);
    if (tag != 0)
        cbor_put_tag(w->out, tag);
    cbor_put_bytes(w->out, bytes.data, bytes.length);
}

static void write_object(Writing *w, InsideKind kind, JSValueConst object)
{
    switch (kind) {
    case INSIDE_ARRAY:
    case INSIDE_ARGUMENTS:
        write_array(w, object);
        break;
    case INSIDE_MAP:
    case INSIDE_SET:
        write_collection(w, object, kind == INSIDE_MAP);
        break;
    case INSIDE_ERROR:
    case INSIDE_DOM_EXCEPTION:
        write_error(w, object);
        break;
    case INSIDE_DATE:
        cbor_put_tag(w->out, CBOR_TAG_DATE);
        cbor_put_number(w->out, inside_date(object) / 1000);
        break;
    case INSIDE_REGEXP:
        write_regexp(w, object);
        break;
    case INSIDE_BUFFER:
    case INSIDE_TYPED:
    case INSIDE_VIEW:
        write_bytes(w, kind, object);
        break;
    default:
        write_plain(w, object);
        break;
    }
}

/* Shared objects: tag 28 at the first meeting, tag 29 and its number at the others. */
static void write_shared(Writing *w, InsideKind kind, JSValueConst object)
{
    Node *node = w->graph.shared > 0 ? graph_find(&w->graph, JS_VALUE_GET_PTR(object)) : NULL;

    if (node && node->shared && node->index != NOT_WRITTEN) {
        cbor_put_tag(w->out, CBOR_TAG_SHARED_REF);
        cbor_put_uint(w->out, node->index);
        return;
    }
    if (node && node->shared) {
        node->index = w->next_shared++;
        cbor_put_tag(w->out, CBOR_TAG_SHARED);
    }
    write_object(w, kind, object);
}

static void write_reference(Buf *out, const Reference *reference)
{
    cbor_put_tag(out, CBOR_TAG_REFERENCE);
    cbor_put_array(out, 3);
    cbor_put_text(out, reference->name, reference->name_length);
    cbor_put_uint(out, reference->id);
    cbor_put_uint(out, reference->generation);
}

static void write_value(Writing *w, JSValueConst value)
{
    InsideKind kind = inside_kind(value);
    Reference reference;

    switch (kind) {
    case INSIDE_UNDEFINED:
        cbor_put_simple(w->out, CBOR_UNDEFINED);
        break;
    case INSIDE_NULL:
        cbor_put_simple(w->out, CBOR_NULL);
        break;
    case INSIDE_BOOL:
        cbor_put_simple(w->out, JS_VALUE_GET_BOOL(value) ? CBOR_TRUE : CBOR_FALSE);
        break;
    case INSIDE_INT:
        cbor_put_int(w->out, JS_VALUE_GET_INT(value));
        break;
    case INSIDE_DOUBLE:
        cbor_put_number(w->out, JS_VALUE_GET_FLOAT64(value));
        break;
    case INSIDE_BIGINT:
        put_bigint(w->out, value);
        break;
    case INSIDE_STRING:
        text_put(w->out, value);
        break;
    case INSIDE_BOXED:
        write_value(w, inside_boxed(value));
        break;
    default:
        if (reference_of(w, kind, value, &reference))
            write_reference(w->out, &reference);
        else if (guest_stack_low())
            w->status = VALUE_TOO_DEEP; /* frames of this pass may be larger than pass one's */
        else
            write_shared(w, kind, value);
        break;
    }
}

/* ---- the whole ---- */

static ValueStatus write_bytes_of(Writing *w, JSValueConst value)
{
    size_t start = w->out->length;

    write_value(w, value);
    if (w->status == VALUE_OK && w->out->failed)
        w->status = w->out->over_limit ? VALUE_TOO_LARGE : VALUE_NOMEM;
    if (w->status == VALUE_OK)
        return VALUE_OK;
    buf_truncate(w->out, start);
    snprintf(w->message, w->message_size,
             w->status == VALUE_TOO_LARGE  ? "%s is larger than what may leave at one time"
             : w->status == VALUE_TOO_DEEP ? "%s is nested too deeply: flatten it"
                                           : "%s did not fit into the memory that is left",
             w->root);
    return w->status;
}

ValueStatus value_write(JSContext *ctx, JSValueConst value, const char *root,
                        const ValueLimits *limits, const ValueHooks *hooks, Buf *out, char *message,
                        size_t message_size)
{
    Writing w = {.ctx = ctx,
                 .limits = limits,
                 .hooks = hooks,
                 .root = root,
                 .message = message,
                 .message_size = message_size,
                 .out = out};
    InsideQuiet quiet;
    uint64_t tree;

    inside_quiet_begin(ctx, &quiet);
    graph_begin(ctx, &w.graph);
    message[0] = '\0';
    ValueStatus status = graph_measure(&w, value, NULL, 0, &tree);
    if (status == VALUE_OK)
        status = write_bytes_of(&w, value);
    graph_end(&w.graph);
    inside_quiet_end(ctx, &quiet);
    return status;
}
