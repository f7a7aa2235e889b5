/*
 * From bytes to values.
 *
 * The bytes come from the host and are not believed: every length, depth, tag and reference is
 * checked. What is made is fresh and is made by defining own properties, so that `__proto__` is a
 * key like any other and no setter, and nothing else that the program put on a prototype, is met.
 */
#include <math.h>
#include <string.h>

#include "utf8.h"
#include "value_parts.h"

typedef struct Reading {
    JSContext *ctx;
    CborReader in;
    const ValueLimits *limits;
    const ValueHooks *hooks;
    ValueStatus status;
    JSValue *shared; /* by the count of tags 28; JS_UNINITIALIZED while not made */
    uint32_t shared_count;
    uint32_t shared_capacity;
} Reading;

enum { NOT_SHARED = UINT32_MAX };

static JSValue read_value(Reading *r, uint32_t depth, uint32_t shared);

static JSValue fail(Reading *r, ValueStatus status)
{
    if (r->status == VALUE_OK)
        r->status = status;
    return JS_EXCEPTION;
}

static JSValue drop(Reading *r, JSValue value, ValueStatus status)
{
    JS_FreeValue(r->ctx, value);
    return fail(r, status);
}

/* ---- shared objects ---- */

static bool shared_new(Reading *r, uint32_t *out_index)
{
    if (r->shared_count == r->shared_capacity) {
        uint32_t capacity = r->shared_capacity == 0 ? 8 : r->shared_capacity * 2;
        JSValue *grown = js_realloc_rt(JS_GetRuntime(r->ctx), r->shared, capacity * sizeof *grown);
        if (!grown) {
            fail(r, VALUE_NOMEM);
            return false;
        }
        r->shared = grown;
        r->shared_capacity = capacity;
    }
    *out_index = r->shared_count++;
    r->shared[*out_index] = JS_UNINITIALIZED;
    return true;
}

/* An object is known by its number as soon as it exists: its parts may refer to it. */
static void shared_set(Reading *r, uint32_t index, JSValueConst value)
{
    if (index != NOT_SHARED && JS_VALUE_GET_TAG(r->shared[index]) == JS_TAG_UNINITIALIZED)
        r->shared[index] = JS_DupValue(r->ctx, value);
}

static JSValue read_shared(Reading *r, uint32_t depth, uint32_t outer)
{
    uint32_t index;

    if (outer != NOT_SHARED)
        return fail(r, VALUE_MALFORMED); /* one object, two numbers */
    if (!shared_new(r, &index))
        return JS_EXCEPTION;
    JSValue value = read_value(r, depth, index);
    if (!JS_IsException(value))
        shared_set(r, index, value);
    return value;
}

static JSValue read_shared_ref(Reading *r)
{
    CborHead head;

    if (!cbor_head(&r->in, &head) || head.major != CBOR_UINT || head.argument >= r->shared_count)
        return fail(r, VALUE_MALFORMED);
    JSValue value = r->shared[head.argument];
    if (JS_VALUE_GET_TAG(value) == JS_TAG_UNINITIALIZED)
        return fail(r, VALUE_MALFORMED);
    return JS_DupValue(r->ctx, value);
}

/* ---- text and bytes ---- */

static JSValue made(Reading *r, JSValue value)
{
    return JS_IsException(value) ? fail(r, VALUE_NOMEM) : value;
}

/* The engine decodes surrogates in UTF-8 as an error: text that has them goes by way of UTF-16. */
static JSValue read_wtf8(Reading *r, const uint8_t *bytes, size_t length)
{
    JSRuntime *rt = JS_GetRuntime(r->ctx);
    size_t count = 0;

    if (!wtf8_valid(bytes, length))
        return fail(r, VALUE_MALFORMED);
    uint16_t *units = js_malloc_rt(rt, (length + 1) * sizeof *units);
    if (!units)
        return fail(r, VALUE_NOMEM);
    while (length > 0) {
        uint32_t code = 0;
        size_t step = wtf8_decode(bytes, length, &code);
        if (code > 0xFFFF) {
            units[count++] = (uint16_t)(0xD800 + ((code - 0x10000) >> 10));
            units[count++] = (uint16_t)(0xDC00 + ((code - 0x10000) & 0x3FF));
        } else {
            units[count++] = (uint16_t)code;
        }
        bytes += step;
        length -= step;
    }
    JSValue value = JS_NewStringUTF16(r->ctx, units, count);
    js_free_rt(rt, units);
    return made(r, value);
}

static bool read_bytes(Reading *r, unsigned major, const uint8_t **out_bytes, size_t *out_length)
{
    CborHead head;

    return cbor_head(&r->in, &head) && head.major == major &&
           cbor_string(&r->in, &head, out_bytes, out_length);
}

static JSValue read_text(Reading *r, const CborHead *head)
{
    const uint8_t *bytes;
    size_t length;

    if (!cbor_string(&r->in, head, &bytes, &length))
        return fail(r, VALUE_MALFORMED);
    if (text_is_ascii(bytes, length))
        return made(r, inside_new_latin1(r->ctx, bytes, length));
    if (!utf8_valid(bytes, length))
        return fail(r, VALUE_MALFORMED);
    return made(r, JS_NewStringLen(r->ctx, (const char *)bytes, length));
}

static JSValue read_tagged_text(Reading *r)
{
    const uint8_t *bytes;
    size_t length;

    if (!read_bytes(r, CBOR_BYTES, &bytes, &length))
        return fail(r, VALUE_MALFORMED);
    return read_wtf8(r, bytes, length);
}

/* Text, or tag 273. */
static JSValue read_string(Reading *r)
{
    CborHead head;

    if (!cbor_head(&r->in, &head))
        return fail(r, VALUE_MALFORMED);
    if (head.major == CBOR_TEXT)
        return read_text(r, &head);
    if (head.major == CBOR_TAG && head.argument == CBOR_TAG_WTF8)
        return read_tagged_text(r);
    return fail(r, VALUE_MALFORMED);
}

static JSValue read_bigint(Reading *r, bool minus)
{
    const uint8_t *bytes;
    size_t length;

    if (!read_bytes(r, CBOR_BYTES, &bytes, &length))
        return fail(r, VALUE_MALFORMED);
    while (length > 0 && *bytes == 0) {
        bytes++;
        length--;
    }
    return made(r, inside_new_bigint(r->ctx, bytes, length, minus));
}

static JSValue read_buffer(Reading *r, const uint8_t *bytes, size_t length)
{
    return made(r, JS_NewArrayBufferCopy(r->ctx, bytes, length));
}

static JSValue read_typed(Reading *r, JSTypedArrayEnum type, const uint8_t *bytes, size_t length)
{
    static const uint8_t sizes[] = {
        [JS_TYPED_ARRAY_UINT8C] = 1,     [JS_TYPED_ARRAY_INT8] = 1,
        [JS_TYPED_ARRAY_UINT8] = 1,      [JS_TYPED_ARRAY_INT16] = 2,
        [JS_TYPED_ARRAY_UINT16] = 2,     [JS_TYPED_ARRAY_INT32] = 4,
        [JS_TYPED_ARRAY_UINT32] = 4,     [JS_TYPED_ARRAY_BIG_INT64] = 8,
        [JS_TYPED_ARRAY_BIG_UINT64] = 8, [JS_TYPED_ARRAY_FLOAT16] = 2,
        [JS_TYPED_ARRAY_FLOAT32] = 4,    [JS_TYPED_ARRAY_FLOAT64] = 8,
    };

    if (length % sizes[type] != 0)
        return fail(r, VALUE_MALFORMED);
    JSValue buffer = read_buffer(r, bytes, length);
    if (JS_IsException(buffer))
        return buffer;
    JSValue value = inside_new_typed(r->ctx, type, buffer);
    JS_FreeValue(r->ctx, buffer);
    return made(r, value);
}

static JSValue read_view(Reading *r, const uint8_t *bytes, size_t length)
{
    JSValue buffer = read_buffer(r, bytes, length);

    if (JS_IsException(buffer))
        return buffer;
    JSValue value = inside_new_view(r->ctx, buffer);
    JS_FreeValue(r->ctx, buffer);
    return made(r, value);
}

/* ---- containers ---- */

/* How many items are still to come; an indefinite container has them until its break. */
typedef struct Items {
    uint64_t left;
    bool indefinite;
} Items;

static Items items_of(const CborHead *head)
{
    return (Items){.left = head->argument, .indefinite = head->indefinite};
}

static bool items_next(Reading *r, Items *items)
{
    if (items->indefinite)
        return !cbor_break(&r->in);
    return items->left > 0 && items->left-- > 0;
}

/* Opens the array or map that a tag must have as its content. */
static bool open_content(Reading *r, unsigned major, Items *out_items)
{
    CborHead head;

    if (!cbor_head(&r->in, &head) || head.major != major)
        return false;
    *out_items = items_of(&head);
    return true;
}

static bool level_allowed(Reading *r, uint32_t depth, uint32_t levels)
{
    if (levels <= r->limits->depth && depth <= r->limits->depth - levels && !guest_stack_low())
        return true;
    fail(r, VALUE_TOO_DEEP);
    return false;
}

static JSValue read_array(Reading *r, Items items, uint32_t depth, uint32_t shared)
{
    if (!level_allowed(r, depth, 1))
        return JS_EXCEPTION;
    JSValue array = made(r, JS_NewArray(r->ctx));
    if (JS_IsException(array))
        return array;
    shared_set(r, shared, array);
    while (items_next(r, &items)) {
        JSValue item = read_value(r, depth + 1, NOT_SHARED);
        if (JS_IsException(item))
            return drop(r, array, VALUE_MALFORMED);
        if (!inside_array_push(r->ctx, array, item))
            return drop(r, array, VALUE_NOMEM);
    }
    return array;
}

/* Define one own property; takes the value. */
static bool define(Reading *r, JSValueConst object, JSAtom key, JSValue value, int flags)
{
    if (JS_DefinePropertyValue(r->ctx, object, key, value, flags) >= 0)
        return true;
    fail(r, VALUE_NOMEM);
    return false;
}

/* A property's name, as an atom; JS_ATOM_NULL on failure. */
static JSAtom read_key(Reading *r)
{
    CborReader in = r->in;
    CborHead head;
    const uint8_t *bytes;
    size_t length;
    JSAtom key = JS_ATOM_NULL;

    if (cbor_head(&in, &head) && head.major == CBOR_TEXT) {
        /* Nearly always: the engine finds the names that it knows without making a string. */
        if (!cbor_string(&in, &head, &bytes, &length) ||
            (!text_is_ascii(bytes, length) && !utf8_valid(bytes, length))) {
            fail(r, VALUE_MALFORMED);
            return JS_ATOM_NULL;
        }
        r->in = in;
        key = JS_NewAtomLen(r->ctx, (const char *)bytes, length);
    } else {
        JSValue text = read_string(r);
        if (JS_IsException(text))
            return JS_ATOM_NULL;
        key = JS_ValueToAtom(r->ctx, text);
        JS_FreeValue(r->ctx, text);
    }
    if (key == JS_ATOM_NULL)
        fail(r, VALUE_NOMEM);
    return key;
}

static bool read_member(Reading *r, JSValueConst object, uint32_t depth, int flags)
{
    JSAtom key = read_key(r);

    if (key == JS_ATOM_NULL)
        return false;
    JSValue value = read_value(r, depth, NOT_SHARED);
    bool done = !JS_IsException(value) && define(r, object, key, value, flags);
    JS_FreeAtom(r->ctx, key);
    return done;
}

static JSValue read_object(Reading *r, Items items, uint32_t depth, uint32_t shared)
{
    if (!level_allowed(r, depth, 1))
        return JS_EXCEPTION;
    JSValue object = made(r, JS_NewObject(r->ctx));
    if (JS_IsException(object))
        return object;
    shared_set(r, shared, object);
    while (items_next(r, &items))
        if (!read_member(r, object, depth + 1, JS_PROP_C_W_E))
            return drop(r, object, VALUE_MALFORMED);
    return object;
}

static bool read_entry(Reading *r, JSValueConst collection, bool is_map, uint32_t depth)
{
    JSValue key = read_value(r, depth, NOT_SHARED);
    JSValue value = JS_UNDEFINED;

    if (JS_IsException(key))
        return false;
    if (is_map)
        value = read_value(r, depth, NOT_SHARED);
    bool done = !JS_IsException(value) && inside_collection_add(r->ctx, collection, key, value);
    if (!done)
        fail(r, VALUE_NOMEM);
    JS_FreeValue(r->ctx, key);
    JS_FreeValue(r->ctx, value);
    return done;
}

static JSValue read_collection(Reading *r, bool is_map, uint32_t depth, uint32_t shared)
{
    Items items;

    if (!open_content(r, is_map ? CBOR_MAP : CBOR_ARRAY, &items))
        return fail(r, VALUE_MALFORMED);
    if (!level_allowed(r, depth, 1))
        return JS_EXCEPTION;
    JSValue value = made(r, inside_new_collection(r->ctx, is_map ? INSIDE_MAP : INSIDE_SET));
    if (JS_IsException(value))
        return value;
    shared_set(r, shared, value);
    while (items_next(r, &items))
        if (!read_entry(r, value, is_map, depth + 1))
            return drop(r, value, VALUE_MALFORMED);
    return value;
}

/* ---- errors, dates, patterns, references ---- */

enum { HIDDEN = JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE };

/* Whether a member of an error is one that the engine hides from enumeration. */
static bool is_hidden(JSAtom key)
{
    return key == inside_atom(INSIDE_ATOM_MESSAGE) || key == inside_atom(INSIDE_ATOM_CAUSE) ||
           key == inside_atom(INSIDE_ATOM_ERRORS) || key == inside_atom(INSIDE_ATOM_NAME) ||
           key == inside_atom(INSIDE_ATOM_STACK);
}

static bool read_error_member(Reading *r, JSValueConst error, uint32_t depth)
{
    JSAtom key = read_key(r);

    if (key == JS_ATOM_NULL)
        return false;
    JSValue value = read_value(r, depth, NOT_SHARED);
    bool done = !JS_IsException(value);
    if (done && key == inside_atom(INSIDE_ATOM_STACK) && inside_kind(value) == INSIDE_STRING)
        inside_error_set_stack(r->ctx, error, value);
    else if (done)
        done = define(r, error, key, value, is_hidden(key) ? HIDDEN : JS_PROP_C_W_E);
    JS_FreeAtom(r->ctx, key);
    return done;
}

/* An Error of the kind its name says; a name that no native error has becomes its own property. */
static JSValue new_error(Reading *r)
{
    char name[24];
    bool named;
    JSValue text = read_string(r);

    if (JS_IsException(text))
        return text;
    size_t length = text_copy(text, name, sizeof name);
    JSValue error = made(r, inside_new_error(r->ctx, name, length, &named));
    if (JS_IsException(error) || named) {
        JS_FreeValue(r->ctx, text);
        return error;
    }
    return define(r, error, inside_atom(INSIDE_ATOM_NAME), text, HIDDEN)
               ? error
               : drop(r, error, VALUE_NOMEM);
}

static JSValue read_error(Reading *r, uint32_t depth, uint32_t shared)
{
    Items pair, members;

    if (!level_allowed(r, depth, 2))
        return JS_EXCEPTION;
    if (!open_content(r, CBOR_ARRAY, &pair) || !items_next(r, &pair))
        return fail(r, VALUE_MALFORMED);
    JSValue error = new_error(r);
    if (JS_IsException(error))
        return error;
    shared_set(r, shared, error);
    if (!items_next(r, &pair) || !open_content(r, CBOR_MAP, &members))
        return drop(r, error, VALUE_MALFORMED);
    while (items_next(r, &members))
        if (!read_error_member(r, error, depth + 2))
            return drop(r, error, VALUE_MALFORMED);
    return items_next(r, &pair) ? drop(r, error, VALUE_MALFORMED) : error;
}

static JSValue read_date(Reading *r)
{
    CborHead head;
    double seconds;

    if (!cbor_head(&r->in, &head) || !cbor_number(&head, &seconds))
        return fail(r, VALUE_MALFORMED);
    /* Seconds are milliseconds that were divided: rounding finds them again. */
    return made(r, JS_NewDate(r->ctx, round(seconds * 1000)));
}

static JSValue read_regexp(Reading *r, uint32_t depth)
{
    Items pair;

    if (!level_allowed(r, depth, 1))
        return JS_EXCEPTION;
    if (!open_content(r, CBOR_ARRAY, &pair) || !items_next(r, &pair))
        return fail(r, VALUE_MALFORMED);
    JSValue source = read_string(r);
    if (JS_IsException(source))
        return source;
    JSValue flags = items_next(r, &pair) ? read_string(r) : fail(r, VALUE_MALFORMED);
    JSValue value = JS_EXCEPTION;
    if (!JS_IsException(flags))
        value = inside_new_regexp(r->ctx, source, flags);
    JS_FreeValue(r->ctx, source);
    JS_FreeValue(r->ctx, flags);
    /* Not a pattern, or no memory to compile it: for the host it is the same. */
    if (JS_IsException(value) || items_next(r, &pair))
        return drop(r, value, VALUE_MALFORMED);
    return value;
}

static bool read_uint32(Reading *r, uint32_t *out)
{
    CborHead head;

    if (!cbor_head(&r->in, &head) || head.major != CBOR_UINT || head.argument > UINT32_MAX)
        return false;
    *out = (uint32_t)head.argument;
    return true;
}

static JSValue read_reference(Reading *r, uint32_t depth)
{
    Items items;
    const uint8_t *name;
    size_t length;
    uint32_t id, generation;

    if (!level_allowed(r, depth, 1))
        return JS_EXCEPTION;
    if (!r->hooks || !r->hooks->reference_new || !open_content(r, CBOR_ARRAY, &items) ||
        !items_next(r, &items) || !read_bytes(r, CBOR_TEXT, &name, &length) ||
        !items_next(r, &items) || !read_uint32(r, &id) || !items_next(r, &items) ||
        !read_uint32(r, &generation) || items_next(r, &items))
        return fail(r, VALUE_MALFORMED);
    JSValue value = r->hooks->reference_new(r->hooks->context, r->ctx, (const char *)name, length,
                                            id, generation);
    return made(r, value);
}

/* ---- one item ---- */

static bool typed_of_tag(uint64_t tag, JSTypedArrayEnum *out_type)
{
    for (int type = JS_TYPED_ARRAY_UINT8C; type <= JS_TYPED_ARRAY_FLOAT64; type++) {
        if (typed_tag((JSTypedArrayEnum)type) == tag) {
            *out_type = (JSTypedArrayEnum)type;
            return true;
        }
    }
    return false;
}

static JSValue read_tagged_bytes(Reading *r, uint64_t tag)
{
    const uint8_t *bytes;
    size_t length;
    JSTypedArrayEnum type;
    bool typed = tag != 0 && typed_of_tag(tag, &type);

    if ((!typed && tag != CBOR_TAG_ARRAY_BUFFER && tag != CBOR_TAG_DATA_VIEW) ||
        !read_bytes(r, CBOR_BYTES, &bytes, &length))
        return fail(r, VALUE_MALFORMED);
    if (typed)
        return read_typed(r, type, bytes, length);
    return tag == CBOR_TAG_ARRAY_BUFFER ? read_buffer(r, bytes, length)
                                        : read_view(r, bytes, length);
}

static JSValue read_tagged(Reading *r, uint64_t tag, uint32_t depth, uint32_t shared)
{
    switch (tag) {
    case CBOR_TAG_DATE:
        return read_date(r);
    case CBOR_TAG_BIGINT:
    case CBOR_TAG_BIGINT_MINUS:
        return read_bigint(r, tag == CBOR_TAG_BIGINT_MINUS);
    case CBOR_TAG_WTF8:
        return read_tagged_text(r);
    case CBOR_TAG_ERROR:
        return read_error(r, depth, shared);
    case CBOR_TAG_SHARED:
        return read_shared(r, depth, shared);
    case CBOR_TAG_SHARED_REF:
        return read_shared_ref(r);
    case CBOR_TAG_MAP:
    case CBOR_TAG_SET:
        return read_collection(r, tag == CBOR_TAG_MAP, depth, shared);
    case CBOR_TAG_REGEXP:
        return read_regexp(r, depth);
    case CBOR_TAG_REFERENCE:
        return read_reference(r, depth);
    default:
        return read_tagged_bytes(r, tag);
    }
}

static JSValue read_number(Reading *r, const CborHead *head)
{
    double number;

    if (!cbor_number(head, &number))
        return fail(r, VALUE_MALFORMED);
    return JS_NewNumber(r->ctx, number);
}

static JSValue read_simple(Reading *r, const CborHead *head)
{
    if (head->info > 24)
        return read_number(r, head);
    switch (head->argument) {
    case CBOR_FALSE:
        return JS_FALSE;
    case CBOR_TRUE:
        return JS_TRUE;
    case CBOR_NULL:
        return JS_NULL;
    case CBOR_UNDEFINED:
        return JS_UNDEFINED;
    default:
        return fail(r, VALUE_MALFORMED);
    }
}

static JSValue read_value(Reading *r, uint32_t depth, uint32_t shared)
{
    CborHead head;

    if (!cbor_head(&r->in, &head))
        return fail(r, VALUE_MALFORMED);
    switch (head.major) {
    case CBOR_UINT:
    case CBOR_NEGATIVE:
        return read_number(r, &head);
    case CBOR_BYTES: {
        const uint8_t *bytes;
        size_t length;
        if (!cbor_string(&r->in, &head, &bytes, &length))
            return fail(r, VALUE_MALFORMED);
        return read_typed(r, JS_TYPED_ARRAY_UINT8, bytes, length);
    }
    case CBOR_TEXT:
        return read_text(r, &head);
    case CBOR_ARRAY:
        return read_array(r, items_of(&head), depth, shared);
    case CBOR_MAP:
        return read_object(r, items_of(&head), depth, shared);
    case CBOR_TAG:
        return read_tagged(r, head.argument, depth, shared);
    default:
        return read_simple(r, &head);
    }
}

ValueStatus value_read(JSContext *ctx, const uint8_t *bytes, size_t length,
                       const ValueLimits *limits, const ValueHooks *hooks, JSValue *out_value)
{
    Reading r = {
        .ctx = ctx, .in = {.at = bytes, .end = bytes + length}, .limits = limits, .hooks = hooks};
    InsideQuiet quiet;

    if (length > limits->bytes)
        return VALUE_TOO_LARGE;
    inside_quiet_begin(ctx, &quiet);
    JSValue value = read_value(&r, 0, NOT_SHARED);
    if (!JS_IsException(value) && r.in.at != r.in.end)
        value = drop(&r, value, VALUE_MALFORMED);
    for (uint32_t i = 0; i < r.shared_count; i++)
        JS_FreeValue(ctx, r.shared[i]);
    js_free_rt(JS_GetRuntime(ctx), r.shared);
    inside_quiet_end(ctx, &quiet);
    if (!JS_IsException(value))
        *out_value = value;
    return r.status;
}
