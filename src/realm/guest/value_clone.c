/*
 * structuredClone.
 *
 * Unlike the rest of value_*.c this is the program's own act: getters run, and may do anything
 * meanwhile, so nothing that was read before one is believed after it. Both halves of every pair
 * in the memory are held, or an address could come to mean another object.
 *
 * A transferred buffer is lent: its clone stands over the same bytes until the whole clone is
 * made, and only then do they change hands. So a clone that fails leaves the sources as they were.
 */
#include "value_parts.h"

typedef struct Pair {
    JSValue source;
    JSValue clone;
} Pair;

typedef struct Cloning {
    JSContext *ctx;
    Graph graph; /* source to the index of its pair */
    Pair *pairs;
    uint32_t count;
    uint32_t capacity;
    uint32_t lent; /* the first pairs are transferred buffers */
} Cloning;

static JSValue clone(Cloning *c, JSValueConst value);

static JSValue refuse(Cloning *c, JSValueConst value)
{
    char shown[128];

    text_show(c->ctx, value, shown, sizeof shown);
    return JS_ThrowDOMException(c->ctx, "DataCloneError", "%s could not be cloned.", shown);
}

/* ---- the memory ---- */

/* Takes the clone and gives it back to hand out; JS_EXCEPTION passes through. */
static JSValue remember(Cloning *c, JSValueConst source, JSValue made)
{
    if (JS_IsException(made))
        return made;
    if (c->count == c->capacity) {
        uint32_t capacity = c->capacity == 0 ? 8 : c->capacity * 2;
        Pair *grown = js_realloc(c->ctx, c->pairs, capacity * sizeof *grown);
        if (!grown) {
            JS_FreeValue(c->ctx, made);
            return JS_EXCEPTION;
        }
        c->pairs = grown;
        c->capacity = capacity;
    }
    Node *node = graph_add(&c->graph, JS_VALUE_GET_PTR(source));
    if (!node) {
        JS_FreeValue(c->ctx, made);
        return JS_ThrowOutOfMemory(c->ctx);
    }
    node->index = c->count;
    c->pairs[c->count++] =
        (Pair){.source = JS_DupValue(c->ctx, source), .clone = JS_DupValue(c->ctx, made)};
    return made;
}

/* ---- the kinds ---- */

/* Copy one property if it is still there: a getter may have deleted it. */
static bool clone_property(Cloning *c, JSValueConst source, JSValueConst target, JSAtom key)
{
    int there = JS_GetOwnProperty(c->ctx, NULL, source, key);

    if (there <= 0)
        return there == 0;
    JSValue value = JS_GetProperty(c->ctx, source, key);
    JSValue copy = JS_IsException(value) ? value : clone(c, value);
    JS_FreeValue(c->ctx, value);
    return !JS_IsException(copy) &&
           JS_DefinePropertyValue(c->ctx, target, key, copy, JS_PROP_C_W_E) >= 0;
}

static JSValue clone_properties(Cloning *c, JSValueConst source, JSValue target)
{
    JSPropertyEnum *keys;
    uint32_t count, i = 0;

    if (JS_IsException(target))
        return target;
    if (JS_GetOwnPropertyNames(c->ctx, &keys, &count, source,
                               JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY) < 0) {
        JS_FreeValue(c->ctx, target);
        return JS_EXCEPTION;
    }
    while (i < count && clone_property(c, source, target, keys[i].atom))
        i++;
    bool done = i == count;
    JS_FreePropertyEnum(c->ctx, keys, count);
    if (done)
        return target;
    JS_FreeValue(c->ctx, target);
    return JS_EXCEPTION;
}

static JSValue clone_array(Cloning *c, JSValueConst source)
{
    uint32_t length, dense;
    bool sparse;
    JSValue target = remember(c, source, JS_NewArray(c->ctx));

    inside_array(c->ctx, source, &length, &dense, &sparse);
    /* Set before the elements only where holes make it: a dense array stays a fast one. */
    if (JS_IsException(target) || (!sparse && length == dense))
        return clone_properties(c, source, target);
    if (JS_SetLength(c->ctx, target, length) < 0) {
        JS_FreeValue(c->ctx, target);
        return JS_EXCEPTION;
    }
    return clone_properties(c, source, target);
}

/* The entries as they are now: getters met while they are cloned may change the collection. */
static JSValue *copy_entries(Cloning *c, JSValueConst source, uint32_t *out_count)
{
    uint32_t count = 0;
    void *cursor = NULL;
    JSValueConst key, value;
    size_t most = (size_t)inside_collection_count(source) * 2;
    JSValue *entries = js_malloc(c->ctx, (most + 1) * sizeof *entries);

    while (entries && count + 1 < most + 1 &&
           inside_collection_next(source, &cursor, &key, &value)) {
        entries[count++] = JS_DupValue(c->ctx, key);
        entries[count++] = JS_DupValue(c->ctx, value);
    }
    *out_count = count;
    return entries;
}

static bool clone_entry(Cloning *c, JSValueConst target, JSValueConst key, JSValueConst value)
{
    JSValue new_key = clone(c, key);
    JSValue new_value = JS_IsException(new_key) ? JS_EXCEPTION : clone(c, value);
    bool done =
        !JS_IsException(new_value) && inside_collection_add(c->ctx, target, new_key, new_value);

    JS_FreeValue(c->ctx, new_key);
    JS_FreeValue(c->ctx, new_value);
    return done;
}

static JSValue clone_collection(Cloning *c, InsideKind kind, JSValueConst source)
{
    uint32_t count, done = 0;
    JSValue target = remember(c, source, inside_new_collection(c->ctx, kind));

    if (JS_IsException(target))
        return target;
    JSValue *entries = copy_entries(c, source, &count);
    while (entries && done < count && clone_entry(c, target, entries[done], entries[done + 1]))
        done += 2;
    bool complete = entries && done == count;
    for (uint32_t i = 0; i < count; i++)
        JS_FreeValue(c->ctx, entries[i]);
    js_free(c->ctx, entries);
    if (complete)
        return target;
    JS_FreeValue(c->ctx, target);
    return JS_EXCEPTION;
}

enum { HIDDEN = JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE };

/* An own data property of an error, cloned where the standard or the common engines clone it. */
static bool clone_error_part(Cloning *c, JSValueConst source, JSValueConst target, InsideAtom which)
{
    InsideProperty own;

    inside_own(c->ctx, source, inside_atom(which), &own);
    if (own.slot != INSIDE_DATA)
        return true;
    JSValue held = JS_DupValue(c->ctx, own.value);
    JSValue value = which == INSIDE_ATOM_MESSAGE ? JS_ToString(c->ctx, held) : clone(c, held);
    JS_FreeValue(c->ctx, held);
    return !JS_IsException(value) &&
           JS_DefinePropertyValue(c->ctx, target, inside_atom(which), value, HIDDEN) >= 0;
}

static JSValue new_error_like(Cloning *c, JSValueConst source)
{
    char name[24];
    bool named;
    JSValue value = JS_GetProperty(c->ctx, source, inside_atom(INSIDE_ATOM_NAME));
    JSValue text =
        JS_IsUndefined(value) || JS_IsException(value) ? value : JS_ToString(c->ctx, value);

    JS_FreeValue(c->ctx, value);
    if (JS_IsException(text))
        return text;
    size_t length = JS_IsUndefined(text) ? 0 : text_copy(text, name, sizeof name);
    JS_FreeValue(c->ctx, text);
    return inside_new_error(c->ctx, name, length, &named);
}

static JSValue clone_error(Cloning *c, JSValueConst source)
{
    JSValueConst stack;
    JSValue target = remember(c, source, new_error_like(c, source));

    if (JS_IsException(target))
        return target;
    if (error_stack(c->ctx, source, &stack))
        inside_error_set_stack(c->ctx, target, JS_DupValue(c->ctx, stack));
    if (clone_error_part(c, source, target, INSIDE_ATOM_MESSAGE) &&
        clone_error_part(c, source, target, INSIDE_ATOM_CAUSE) &&
        clone_error_part(c, source, target, INSIDE_ATOM_ERRORS))
        return target;
    JS_FreeValue(c->ctx, target);
    return JS_EXCEPTION;
}

static JSValue clone_dom_exception(Cloning *c, JSValueConst source)
{
    JSValueConst name, message, stack;

    inside_dom_exception(source, &name, &message);
    JSValue target = inside_new_dom_exception(c->ctx, name, message);
    if (!JS_IsException(target) && error_stack(c->ctx, source, &stack) &&
        JS_DefinePropertyValue(c->ctx, target, inside_atom(INSIDE_ATOM_STACK),
                               JS_DupValue(c->ctx, stack), HIDDEN) < 0) {
        JS_FreeValue(c->ctx, target);
        return JS_EXCEPTION;
    }
    return remember(c, source, target);
}

static JSValue clone_regexp(Cloning *c, JSValueConst source)
{
    char letters[10];
    size_t length = inside_regexp_flags(source, letters);
    JSValue pattern = inside_regexp_source(c->ctx, source);
    JSValue flags = JS_NewStringLen(c->ctx, letters, length);
    JSValue target = JS_IsException(pattern) || JS_IsException(flags)
                         ? JS_EXCEPTION
                         : inside_new_regexp(c->ctx, pattern, flags);

    JS_FreeValue(c->ctx, pattern);
    JS_FreeValue(c->ctx, flags);
    return remember(c, source, target);
}

static JSValue clone_view(Cloning *c, JSValueConst source)
{
    InsideBytes bytes;

    inside_bytes(source, &bytes);
    if (bytes.gone)
        return refuse(c, source);
    JSValue buffer = clone(c, inside_view_buffer(source));
    if (JS_IsException(buffer))
        return buffer;
    JSValue target = inside_same_view(c->ctx, source, buffer);
    JS_FreeValue(c->ctx, buffer);
    return JS_IsUndefined(target) ? refuse(c, source) : remember(c, source, target);
}

static JSValue clone_buffer(Cloning *c, JSValueConst source)
{
    InsideBytes bytes;

    inside_bytes(source, &bytes);
    return bytes.gone ? refuse(c, source) : remember(c, source, inside_copy_buffer(c->ctx, source));
}

static JSValue clone_object(Cloning *c, InsideKind kind, JSValueConst source)
{
    switch (kind) {
    case INSIDE_PLAIN:
    case INSIDE_ARGUMENTS:
        return clone_properties(c, source, remember(c, source, JS_NewObject(c->ctx)));
    case INSIDE_ARRAY:
        return clone_array(c, source);
    case INSIDE_MAP:
    case INSIDE_SET:
        return clone_collection(c, kind, source);
    case INSIDE_BOXED:
        return remember(c, source, JS_ToObject(c->ctx, inside_boxed(source)));
    case INSIDE_DATE:
        return remember(c, source, JS_NewDate(c->ctx, inside_date(source)));
    case INSIDE_REGEXP:
        return clone_regexp(c, source);
    case INSIDE_ERROR:
        return clone_error(c, source);
    case INSIDE_DOM_EXCEPTION:
        return clone_dom_exception(c, source);
    case INSIDE_BUFFER:
        return clone_buffer(c, source);
    case INSIDE_TYPED:
    case INSIDE_VIEW:
        return clone_view(c, source);
    default:
        return refuse(c, source);
    }
}

static JSValue clone(Cloning *c, JSValueConst value)
{
    InsideKind kind = inside_kind(value);

    if (kind < INSIDE_SYMBOL)
        return JS_DupValue(c->ctx, value);
    if (kind == INSIDE_SYMBOL)
        return refuse(c, value);
    if (guest_stack_low())
        return JS_ThrowRangeError(c->ctx, "Maximum call stack size exceeded");
    Node *node = graph_find(&c->graph, JS_VALUE_GET_PTR(value));
    if (node)
        return JS_DupValue(c->ctx, c->pairs[node->index].clone);
    return clone_object(c, kind, value);
}

/* ---- transfer ---- */

static bool lend(Cloning *c, JSValueConst item)
{
    bool movable = inside_kind(item) == INSIDE_BUFFER && inside_buffer_movable(item) &&
                   !graph_find(&c->graph, JS_VALUE_GET_PTR(item));
    char shown[128];

    if (!movable) {
        text_show(c->ctx, item, shown, sizeof shown);
        JS_ThrowDOMException(c->ctx, "DataCloneError",
                             "%s could not be transferred: only ArrayBuffers are, each once, and "
                             "not detached.",
                             shown);
        return false;
    }
    JSValue borrower = remember(c, item, inside_borrow_buffer(c->ctx, item));
    if (JS_IsException(borrower))
        return false;
    JS_FreeValue(c->ctx, borrower);
    c->lent++;
    return true;
}

static bool lend_all(Cloning *c, JSValueConst list)
{
    JSValue items = inside_list(c->ctx, list);
    uint32_t length, dense;
    bool sparse, done = true;

    if (JS_IsException(items))
        return false;
    inside_array(c->ctx, items, &length, &dense, &sparse);
    for (uint32_t i = 0; done && i < length; i++) {
        InsideProperty item;
        inside_array_item(c->ctx, items, i, &item);
        done = lend(c, item.value);
    }
    JS_FreeValue(c->ctx, items);
    return done;
}

static bool read_options(Cloning *c, JSValueConst options)
{
    if (JS_IsUndefined(options) || JS_IsNull(options))
        return true;
    if (!JS_IsObject(options)) {
        JS_ThrowTypeError(c->ctx, "structuredClone: options is not an object");
        return false;
    }
    JSValue list = JS_GetPropertyStr(c->ctx, options, "transfer");
    bool done = !JS_IsException(list) && (JS_IsUndefined(list) || lend_all(c, list));
    JS_FreeValue(c->ctx, list);
    return done;
}

/* All or none: a getter may have changed a buffer, which is found before the first one moves. */
static bool move_all(Cloning *c)
{
    for (uint32_t i = 0; i < c->lent; i++) {
        if (!inside_loan_holds(c->pairs[i].source, c->pairs[i].clone)) {
            JS_ThrowDOMException(c->ctx, "DataCloneError",
                                 "An ArrayBuffer was changed while it was transferred.");
            return false;
        }
    }
    for (uint32_t i = 0; i < c->lent; i++)
        inside_move_buffer(c->pairs[i].source, c->pairs[i].clone);
    return true;
}

JSValue value_clone(JSContext *ctx, JSValueConst value, JSValueConst options)
{
    Cloning c = {.ctx = ctx};
    JSValue result = JS_EXCEPTION;

    graph_begin(ctx, &c.graph);
    if (read_options(&c, options))
        result = clone(&c, value);
    if (!JS_IsException(result) && !move_all(&c)) {
        JS_FreeValue(ctx, result);
        result = JS_EXCEPTION;
    }
    for (uint32_t i = 0; i < c.count; i++) {
        if (i < c.lent && JS_IsException(result))
            inside_return_buffer(c.pairs[i].clone);
        JS_FreeValue(ctx, c.pairs[i].source);
        JS_FreeValue(ctx, c.pairs[i].clone);
    }
    js_free(ctx, c.pairs);
    graph_end(&c.graph);
    return result;
}
