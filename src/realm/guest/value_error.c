/*
 * Errors, read without asking them.
 *
 * A program can make an error's name a symbol, its message a getter that never returns, its cause
 * itself. So everything here looks at stored data only, walks a bounded way, and shows what is no
 * text as text. A description has a fixed largest size, whatever was thrown.
 */
#include <string.h>

#include "value_parts.h"

enum {
    PROTOTYPES_MAX = 64, /* steps from an object to where its name may be */
    CAUSES_MAX = 8,
    ERRORS_MAX = 8,
    NAME_BYTES = 256,
    MESSAGE_BYTES = 8 * 1024,
    STACK_BYTES = 12 * 1024,
    CAUSE_TEXT_BYTES = 2 * 1024,
    VALUE_BYTES = 20 * 1024,
    CAUSE_VALUE_BYTES = 1024,
    VALUE_DEPTH = 64,
    /* All text and values together; keys, heads and numbers of all 72 descriptions fit the rest. */
    CONTENT_BYTES = 48 * 1024
};

static bool is_error(JSValueConst value)
{
    InsideKind kind = inside_kind(value);

    return kind == INSIDE_ERROR || kind == INSIDE_DOM_EXCEPTION;
}

/* ---- name, message, stack ---- */

/* A data property, own or inherited. An accessor or a proxy on the way ends the search. */
static bool find_data(JSContext *ctx, JSValueConst object, JSAtom key, JSValueConst *out_value)
{
    InsideProperty property;

    for (int i = 0; i < PROTOTYPES_MAX && JS_IsObject(object); i++) {
        inside_own(ctx, object, key, &property);
        if (property.slot != INSIDE_ABSENT) {
            *out_value = property.value;
            return property.slot == INSIDE_DATA;
        }
        object = inside_prototype(object);
    }
    return false;
}

static void text_of(JSContext *ctx, JSValueConst value, ErrorText *out)
{
    out->is_string = inside_kind(value) == INSIDE_STRING;
    out->string = value;
    if (!out->is_string)
        text_show(ctx, value, out->shown, sizeof out->shown);
}

static void find_text(JSContext *ctx, JSValueConst error, InsideAtom which, const char *fallback,
                      ErrorText *out)
{
    JSValueConst value = JS_UNDEFINED;
    JSValueConst name = JS_UNDEFINED, message = JS_UNDEFINED;
    bool found;

    if (inside_kind(error) == INSIDE_DOM_EXCEPTION) {
        inside_dom_exception(error, &name, &message);
        value = which == INSIDE_ATOM_NAME ? name : message;
        found = true;
    } else {
        found = find_data(ctx, error, inside_atom(which), &value);
    }
    if (found && !JS_IsUndefined(value)) {
        text_of(ctx, value, out);
        return;
    }
    out->is_string = false;
    out->string = JS_UNDEFINED;
    memcpy(out->shown, fallback, strlen(fallback) + 1);
}

void error_name(JSContext *ctx, JSValueConst error, ErrorText *out)
{
    find_text(ctx, error, INSIDE_ATOM_NAME, is_error(error) ? "Error" : "", out);
}

void error_message(JSContext *ctx, JSValueConst error, ErrorText *out)
{
    find_text(ctx, error, INSIDE_ATOM_MESSAGE, "", out);
}

bool error_stack(JSContext *ctx, JSValueConst error, JSValueConst *out_stack)
{
    InsideProperty own;

    if (!JS_IsObject(error))
        return false;
    inside_own(ctx, error, inside_atom(INSIDE_ATOM_STACK), &own);
    *out_stack = own.slot == INSIDE_DATA && inside_kind(own.value) == INSIDE_STRING
                     ? own.value
                     : inside_error_stack(error);
    return inside_kind(*out_stack) == INSIDE_STRING;
}

void error_text_put(Buf *out, const ErrorText *text)
{
    if (text->is_string)
        text_put(out, text->string);
    else
        cbor_put_text(out, text->shown, strlen(text->shown));
}

/* ---- the other parts ---- */

bool error_walk_begin(JSContext *ctx, JSValueConst error, uint64_t most, ErrorWalk *out_walk)
{
    out_walk->ctx = ctx;
    out_walk->error = error;
    out_walk->special = 0;
    return inside_walk_begin(ctx, error, most, &out_walk->rest);
}

/* cause and errors are not enumerable on an error that the engine made; then whatever is. */
bool error_walk_next(ErrorWalk *walk, InsideProperty *out_property)
{
    static const InsideAtom special[] = {INSIDE_ATOM_CAUSE, INSIDE_ATOM_ERRORS};

    while (walk->special < COUNT_OF(special)) {
        inside_own(walk->ctx, walk->error, inside_atom(special[walk->special++]), out_property);
        if (out_property->slot == INSIDE_DATA)
            return true;
    }
    while (inside_walk_next(&walk->rest, out_property)) {
        JSAtom key = out_property->key;
        bool written =
            key == inside_atom(INSIDE_ATOM_NAME) || key == inside_atom(INSIDE_ATOM_MESSAGE) ||
            key == inside_atom(INSIDE_ATOM_STACK) ||
            (out_property->slot == INSIDE_DATA &&
             (key == inside_atom(INSIDE_ATOM_CAUSE) || key == inside_atom(INSIDE_ATOM_ERRORS)));
        if (!written)
            return true;
    }
    return false;
}

void error_walk_end(ErrorWalk *walk)
{
    inside_walk_end(&walk->rest);
}

/* ---- describing ---- */

typedef struct Describe {
    JSContext *ctx;
    Buf *out;
    size_t left; /* bytes for text and values */
    const void *chain[CAUSES_MAX];
} Describe;

/* A map whose count is known only at its end; it stays below 24, so that its head is one byte. */
typedef struct OpenMap {
    size_t at;
    uint8_t pairs;
} OpenMap;

static OpenMap open_map(Describe *d)
{
    OpenMap map = {.at = d->out->length};

    buf_append_byte(d->out, CBOR_MAP << 5);
    return map;
}

static void put_key(Describe *d, OpenMap *map, const char *key)
{
    map->pairs++;
    cbor_put_text(d->out, key, strlen(key));
}

static void close_map(Describe *d, const OpenMap *map)
{
    if (!d->out->failed)
        d->out->data[map->at] = (uint8_t)(CBOR_MAP << 5 | map->pairs);
}

static void spend(Describe *d, size_t since)
{
    size_t bytes = d->out->length - since;

    d->left = bytes < d->left ? d->left - bytes : 0;
}

static void put_text(Describe *d, JSValueConst string, size_t limit)
{
    size_t since = d->out->length;

    text_put_cut(d->out, string, limit < d->left ? limit : d->left);
    spend(d, since);
}

static void put_error_text(Describe *d, const ErrorText *text, size_t limit)
{
    size_t since = d->out->length;

    if (text->is_string) {
        put_text(d, text->string, limit);
    } else {
        cbor_put_text(d->out, text->shown, strlen(text->shown));
        spend(d, since);
    }
}

/* A value without a message of its own is its own message. */
static void put_name_and_message(Describe *d, OpenMap *map, JSValueConst value, size_t limit)
{
    ErrorText text;
    JSValueConst unused;

    put_key(d, map, "name");
    error_name(d->ctx, value, &text);
    put_error_text(d, &text, NAME_BYTES);
    put_key(d, map, "message");
    if (is_error(value) || find_data(d->ctx, value, inside_atom(INSIDE_ATOM_MESSAGE), &unused))
        error_message(d->ctx, value, &text);
    else
        text_of(d->ctx, value, &text);
    put_error_text(d, &text, limit);
    put_key(d, map, "isError");
    cbor_put_simple(d->out, is_error(value) ? CBOR_TRUE : CBOR_FALSE);
}

static bool own_data(Describe *d, JSValueConst object, const char *name, InsideProperty *out)
{
    JSAtom key = JS_IsObject(object) ? JS_NewAtom(d->ctx, name) : JS_ATOM_NULL;

    if (key == JS_ATOM_NULL)
        return false;
    inside_own(d->ctx, object, key, out);
    JS_FreeAtom(d->ctx, key);
    return out->slot == INSIDE_DATA;
}

/* What host calls put on the errors they throw, and programs copy. */
static void put_call_fields(Describe *d, OpenMap *map, JSValueConst value)
{
    InsideProperty own;

    if (own_data(d, value, "code", &own)) {
        InsideKind kind = inside_kind(own.value);
        if (kind == INSIDE_STRING || kind == INSIDE_INT || kind == INSIDE_DOUBLE)
            put_key(d, map, "code");
        if (kind == INSIDE_STRING)
            put_text(d, own.value, NAME_BYTES);
        else if (kind == INSIDE_INT)
            cbor_put_int(d->out, JS_VALUE_GET_INT(own.value));
        else if (kind == INSIDE_DOUBLE)
            cbor_put_number(d->out, JS_VALUE_GET_FLOAT64(own.value));
    }
    if (own_data(d, value, "retryable", &own) && inside_kind(own.value) == INSIDE_BOOL) {
        put_key(d, map, "retryable");
        cbor_put_simple(d->out, JS_VALUE_GET_BOOL(own.value) ? CBOR_TRUE : CBOR_FALSE);
    }
    if (own_data(d, value, "hint", &own) && inside_kind(own.value) == INSIDE_STRING) {
        put_key(d, map, "hint");
        put_text(d, own.value, CAUSE_TEXT_BYTES);
    }
}

static void put_stack(Describe *d, OpenMap *map, JSValueConst value, size_t limit)
{
    JSValueConst stack;

    if (!error_stack(d->ctx, value, &stack))
        return;
    put_key(d, map, "stack");
    put_text(d, stack, limit);
}

static void put_value(Describe *d, OpenMap *map, JSValueConst value, size_t limit)
{
    ValueLimits limits = {.bytes = limit < d->left ? limit : d->left, .depth = VALUE_DEPTH};
    size_t since = d->out->length;
    char message[VALUE_MESSAGE_MIN];
    ErrorText shown;

    put_key(d, map, "value");
    if (value_write(d->ctx, value, "value", &limits, NULL, d->out, message, sizeof message) !=
        VALUE_OK) {
        buf_truncate(d->out, since);
        cbor_put_text(d->out, "shown", 5);
        text_of(d->ctx, value, &shown);
        put_error_text(d, &shown, NAME_BYTES);
    }
    spend(d, since);
}

static void describe_brief(Describe *d, JSValueConst value, bool circular)
{
    OpenMap map = open_map(d);

    put_name_and_message(d, &map, value, NAME_BYTES);
    if (circular) {
        put_key(d, &map, "circular");
        cbor_put_simple(d->out, CBOR_TRUE);
    } else {
        put_call_fields(d, &map, value);
    }
    close_map(d, &map);
}

static void put_errors(Describe *d, OpenMap *map, JSValueConst value)
{
    InsideProperty errors;
    uint32_t length, dense;
    bool sparse;

    inside_own(d->ctx, value, inside_atom(INSIDE_ATOM_ERRORS), &errors);
    if (errors.slot != INSIDE_DATA || inside_kind(errors.value) != INSIDE_ARRAY)
        return;
    inside_array(d->ctx, errors.value, &length, &dense, &sparse);
    put_key(d, map, "errors");
    uint32_t shown = length < ERRORS_MAX ? length : ERRORS_MAX;
    cbor_put_array(d->out, shown);
    for (uint32_t i = 0; i < shown; i++) {
        InsideProperty item;
        inside_array_item(d->ctx, errors.value, i, &item);
        describe_brief(d, item.value, false);
    }
    put_key(d, map, "errorCount");
    cbor_put_uint(d->out, length);
}

static bool in_chain(const Describe *d, JSValueConst value, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        if (d->chain[i] == JS_VALUE_GET_PTR(value))
            return true;
    return false;
}

static void describe(Describe *d, JSValueConst value, unsigned depth)
{
    bool outer = depth == 0;
    OpenMap map = open_map(d);
    InsideProperty cause;

    put_name_and_message(d, &map, value, outer ? MESSAGE_BYTES : CAUSE_TEXT_BYTES);
    put_stack(d, &map, value, outer ? STACK_BYTES : CAUSE_TEXT_BYTES);
    put_call_fields(d, &map, value);
    if (outer || !is_error(value))
        put_value(d, &map, value, outer ? VALUE_BYTES : CAUSE_VALUE_BYTES);
    put_errors(d, &map, value);
    inside_own(d->ctx, value, inside_atom(INSIDE_ATOM_CAUSE), &cause);
    if (is_error(value) && cause.slot == INSIDE_DATA && depth + 1 < CAUSES_MAX) {
        d->chain[depth] = JS_VALUE_GET_PTR(value);
        put_key(d, &map, "cause");
        if (JS_IsObject(cause.value) && in_chain(d, cause.value, depth + 1))
            describe_brief(d, cause.value, true);
        else
            describe(d, cause.value, depth + 1);
    }
    close_map(d, &map);
}

void error_write(JSContext *ctx, JSValueConst thrown, Buf *out)
{
    Describe d = {.ctx = ctx, .out = out, .left = CONTENT_BYTES};
    InsideQuiet quiet;

    inside_quiet_begin(ctx, &quiet);
    describe(&d, thrown, 0);
    inside_quiet_end(ctx, &quiet);
}
