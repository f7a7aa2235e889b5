/*
 * The windows of inside_values.h. This file is not compiled by itself: the build appends it to the
 * engine's source. Every name of the engine that it leans on is used here and nowhere else, so
 * that a new version of the engine is one file to read.
 */
#include "inside_values.h"

/* ---- what a value is ---- */

static const uint8_t inside_class_kinds[JS_CLASS_INIT_COUNT] = {
    [JS_CLASS_OBJECT] = INSIDE_PLAIN,
    [JS_CLASS_ARRAY] = INSIDE_ARRAY,
    [JS_CLASS_ERROR] = INSIDE_ERROR,
    [JS_CLASS_NUMBER] = INSIDE_BOXED,
    [JS_CLASS_STRING] = INSIDE_BOXED,
    [JS_CLASS_BOOLEAN] = INSIDE_BOXED,
    [JS_CLASS_BIG_INT] = INSIDE_BOXED,
    [JS_CLASS_SYMBOL] = INSIDE_SYMBOL,
    [JS_CLASS_ARGUMENTS] = INSIDE_ARGUMENTS,
    [JS_CLASS_MAPPED_ARGUMENTS] = INSIDE_ARGUMENTS,
    [JS_CLASS_DATE] = INSIDE_DATE,
    [JS_CLASS_MODULE_NS] = INSIDE_PLAIN,
    [JS_CLASS_RAWJSON] = INSIDE_PLAIN,
    [JS_CLASS_C_FUNCTION] = INSIDE_FUNCTION,
    [JS_CLASS_BYTECODE_FUNCTION] = INSIDE_FUNCTION,
    [JS_CLASS_BOUND_FUNCTION] = INSIDE_FUNCTION,
    [JS_CLASS_C_FUNCTION_DATA] = INSIDE_FUNCTION,
    [JS_CLASS_C_CLOSURE] = INSIDE_FUNCTION,
    [JS_CLASS_GENERATOR_FUNCTION] = INSIDE_FUNCTION,
    [JS_CLASS_ASYNC_FUNCTION] = INSIDE_FUNCTION,
    [JS_CLASS_ASYNC_GENERATOR_FUNCTION] = INSIDE_FUNCTION,
    [JS_CLASS_PROMISE_RESOLVE_FUNCTION] = INSIDE_FUNCTION,
    [JS_CLASS_PROMISE_REJECT_FUNCTION] = INSIDE_FUNCTION,
    [JS_CLASS_ASYNC_FUNCTION_RESOLVE] = INSIDE_FUNCTION,
    [JS_CLASS_ASYNC_FUNCTION_REJECT] = INSIDE_FUNCTION,
    [JS_CLASS_REGEXP] = INSIDE_REGEXP,
    [JS_CLASS_ARRAY_BUFFER] = INSIDE_BUFFER,
    [JS_CLASS_SHARED_ARRAY_BUFFER] = INSIDE_SHARED_BUFFER,
    [JS_CLASS_UINT8C_ARRAY... JS_CLASS_FLOAT64_ARRAY] = INSIDE_TYPED,
    [JS_CLASS_DATAVIEW] = INSIDE_VIEW,
    [JS_CLASS_MAP] = INSIDE_MAP,
    [JS_CLASS_SET] = INSIDE_SET,
    [JS_CLASS_WEAKMAP] = INSIDE_WEAK,
    [JS_CLASS_WEAKSET] = INSIDE_WEAK,
    [JS_CLASS_WEAK_REF] = INSIDE_WEAK,
    [JS_CLASS_FINALIZATION_REGISTRY] = INSIDE_WEAK,
    [JS_CLASS_ITERATOR... JS_CLASS_REGEXP_STRING_ITERATOR] = INSIDE_ITERATOR,
    [JS_CLASS_ASYNC_FROM_SYNC_ITERATOR] = INSIDE_ITERATOR,
    [JS_CLASS_GENERATOR] = INSIDE_GENERATOR,
    [JS_CLASS_ASYNC_GENERATOR] = INSIDE_GENERATOR,
    [JS_CLASS_PROXY] = INSIDE_PROXY,
    [JS_CLASS_PROMISE] = INSIDE_PROMISE,
    [JS_CLASS_DOM_EXCEPTION] = INSIDE_DOM_EXCEPTION,
};

InsideKind inside_kind(JSValueConst value)
{
    switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_NULL:
        return INSIDE_NULL;
    case JS_TAG_BOOL:
        return INSIDE_BOOL;
    case JS_TAG_INT:
        return INSIDE_INT;
    case JS_TAG_FLOAT64:
        return INSIDE_DOUBLE;
    case JS_TAG_SHORT_BIG_INT:
    case JS_TAG_BIG_INT:
        return INSIDE_BIGINT;
    case JS_TAG_STRING:
    case JS_TAG_STRING_ROPE:
        return INSIDE_STRING;
    case JS_TAG_SYMBOL:
        return INSIDE_SYMBOL;
    case JS_TAG_OBJECT:
        break;
    default:
        return INSIDE_UNDEFINED;
    }
    JSObject *p = JS_VALUE_GET_OBJ(value);
    if (p->class_id >= JS_CLASS_INIT_COUNT)
        return INSIDE_HOST;
    uint8_t kind = inside_class_kinds[p->class_id];
    return kind == 0 ? INSIDE_OTHER : (InsideKind)kind;
}

void inside_quiet_begin(JSContext *ctx, InsideQuiet *out_quiet)
{
    out_quiet->was_building = ctx->rt->in_build_stack_trace;
    out_quiet->exception = ctx->rt->current_exception;
    ctx->rt->current_exception = JS_UNINITIALIZED;
    ctx->rt->in_build_stack_trace = true;
}

void inside_quiet_end(JSContext *ctx, InsideQuiet *quiet)
{
    JS_FreeValue(ctx, ctx->rt->current_exception);
    ctx->rt->current_exception = quiet->exception;
    ctx->rt->in_build_stack_trace = quiet->was_building;
}

/* ---- text ---- */

static void inside_flat_text(JSString *p, InsideText *out_text)
{
    *out_text = (InsideText){.units = strv(p), .count = p->len, .wide = p->is_wide_char};
}

uint32_t inside_text_length(JSValueConst string)
{
    return string_rope_get_len(string);
}

void inside_text_begin(JSValueConst string, InsideTextWalk *out_walk)
{
    out_walk->pending[0] = string;
    out_walk->count = 1;
}

bool inside_text_next(InsideTextWalk *walk, InsideText *out_piece)
{
    if (walk->count == 0)
        return false;
    JSValueConst value = walk->pending[--walk->count];
    while (JS_VALUE_GET_TAG(value) == JS_TAG_STRING_ROPE) {
        JSStringRope *rope = JS_VALUE_GET_STRING_ROPE(value);
        assert(walk->count < (int)countof(walk->pending));
        walk->pending[walk->count++] = rope->right;
        value = rope->left;
    }
    inside_flat_text(JS_VALUE_GET_STRING(value), out_piece);
    return true;
}

void inside_key_text(JSContext *ctx, JSAtom key, char digits[12], InsideText *out_text)
{
    if (!__JS_AtomIsTaggedInt(key)) {
        inside_flat_text(ctx->rt->atom_array[key], out_text);
        return;
    }
    uint32_t rest = __JS_AtomToUInt32(key);
    unsigned at = 12;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    *out_text = (InsideText){.units = digits + at, .count = 12 - at};
}

void inside_symbol_text(JSContext *ctx, JSValueConst symbol, InsideText *out_text)
{
    if (JS_VALUE_GET_TAG(symbol) == JS_TAG_OBJECT)
        symbol = JS_VALUE_GET_OBJ(symbol)->u.object_data;
    *out_text = (InsideText){.units = "", .count = 0};
    if (JS_VALUE_GET_TAG(symbol) == JS_TAG_SYMBOL)
        inside_flat_text(JS_VALUE_GET_PTR(symbol), out_text);
}

/* ---- numbers, dates, patterns ---- */

const uint32_t *inside_bigint(JSValueConst value, uint32_t scratch[1], uint32_t *out_count)
{
    if (JS_VALUE_GET_TAG(value) == JS_TAG_SHORT_BIG_INT) {
        scratch[0] = (uint32_t)JS_VALUE_GET_SHORT_BIG_INT(value);
        *out_count = 1;
        return scratch;
    }
    JSBigInt *p = JS_VALUE_GET_PTR(value);
    *out_count = p->len;
    return p->tab;
}

JSValueConst inside_boxed(JSValueConst object)
{
    return JS_VALUE_GET_OBJ(object)->u.object_data;
}

double inside_date(JSValueConst object)
{
    JSValueConst data = JS_VALUE_GET_OBJ(object)->u.object_data;

    if (JS_VALUE_GET_NORM_TAG(data) == JS_TAG_INT)
        return JS_VALUE_GET_INT(data);
    return JS_VALUE_GET_NORM_TAG(data) == JS_TAG_FLOAT64 ? JS_VALUE_GET_FLOAT64(data) : NAN;
}

JSValue inside_regexp_source(JSContext *ctx, JSValueConst object)
{
    return js_regexp_get_source(ctx, object);
}

size_t inside_regexp_flags(JSValueConst object, char out_flags[10])
{
    static const struct {
        char letter;
        uint16_t flag;
    } letters[] = {
        {'d', LRE_FLAG_INDICES},      {'g', LRE_FLAG_GLOBAL}, {'i', LRE_FLAG_IGNORECASE},
        {'m', LRE_FLAG_MULTILINE},    {'s', LRE_FLAG_DOTALL}, {'u', LRE_FLAG_UNICODE},
        {'v', LRE_FLAG_UNICODE_SETS}, {'y', LRE_FLAG_STICKY},
    };
    int flags = lre_get_flags(str8(JS_VALUE_GET_OBJ(object)->u.regexp.bytecode));
    size_t length = 0;

    for (size_t i = 0; i < countof(letters); i++)
        if (flags & letters[i].flag)
            out_flags[length++] = letters[i].letter;
    out_flags[length] = '\0';
    return length;
}

/* ---- properties ---- */

JSAtom inside_atom(InsideAtom which)
{
    static const JSAtom atoms[] = {
        [INSIDE_ATOM_NAME] = JS_ATOM_name,     [INSIDE_ATOM_MESSAGE] = JS_ATOM_message,
        [INSIDE_ATOM_STACK] = JS_ATOM_stack,   [INSIDE_ATOM_CAUSE] = JS_ATOM_cause,
        [INSIDE_ATOM_ERRORS] = JS_ATOM_errors,
    };
    return atoms[which];
}

/* Properties of built-in objects are made when first asked for. Making one runs no program, save
 * the few that the engine itself keeps as bytecode: those are functions and stay unmade. */
static void inside_make(JSContext *ctx, JSObject *p, uint32_t index)
{
    JSProperty *pr = &p->prop[index];
    JSShapeProperty *prs = &get_shape_prop(p->shape)[index];

    if (js_autoinit_get_id(pr) == JS_AUTOINIT_ID_BYTECODE)
        return;
    if (JS_AutoInitProperty(ctx, p, prs->atom, pr, prs) < 0)
        JS_FreeValue(ctx, JS_GetException(ctx));
}

static void inside_slot(JSContext *ctx, JSObject *p, uint32_t index, InsideProperty *out)
{
    int flags = get_shape_prop(p->shape)[index].flags;

    if ((flags & JS_PROP_TMASK) == JS_PROP_AUTOINIT) {
        inside_make(ctx, p, index);
        flags = get_shape_prop(p->shape)[index].flags;
    }
    out->key = get_shape_prop(p->shape)[index].atom;
    out->enumerable = (flags & JS_PROP_ENUMERABLE) != 0;
    out->value = JS_UNDEFINED;
    switch (flags & JS_PROP_TMASK) {
    case JS_PROP_NORMAL:
        out->slot = INSIDE_DATA;
        out->value = p->prop[index].u.value;
        break;
    case JS_PROP_VARREF:
        out->slot = INSIDE_DATA;
        out->value = *p->prop[index].u.var_ref->pvalue;
        break;
    case JS_PROP_GETSET:
        out->slot = INSIDE_ACCESSOR;
        break;
    default:
        out->slot = INSIDE_UNSET;
        break;
    }
    if (JS_VALUE_GET_TAG(out->value) == JS_TAG_UNINITIALIZED) {
        out->slot = INSIDE_UNSET;
        out->value = JS_UNDEFINED;
    }
}

void inside_own(JSContext *ctx, JSValueConst object, JSAtom key, InsideProperty *out_property)
{
    *out_property = (InsideProperty){.key = key, .value = JS_UNDEFINED};
    if (JS_VALUE_GET_TAG(object) != JS_TAG_OBJECT)
        return;
    JSObject *p = JS_VALUE_GET_OBJ(object);
    if (p->class_id == JS_CLASS_PROXY)
        return;
    JSShapeProperty *prs = find_own_property1(p, key);
    if (prs)
        inside_slot(ctx, p, (uint32_t)(prs - get_shape_prop(p->shape)), out_property);
}

JSValueConst inside_prototype(JSValueConst object)
{
    JSObject *p = JS_VALUE_GET_OBJ(object);

    if (p->class_id == JS_CLASS_PROXY || !p->shape->proto)
        return JS_NULL;
    return JS_MKPTR(JS_TAG_OBJECT, p->shape->proto);
}

static bool inside_is_name(JSContext *ctx, const JSShapeProperty *prs)
{
    return prs->atom != JS_ATOM_NULL && (prs->flags & JS_PROP_ENUMERABLE) &&
           JS_AtomGetKind(ctx, prs->atom) == JS_ATOM_KIND_STRING;
}

static int inside_compare_indexes(const void *left, const void *right, void *opaque)
{
    uint32_t a, b;

    JS_AtomIsArrayIndex(opaque, &a, *(const JSAtom *)left);
    JS_AtomIsArrayIndex(opaque, &b, *(const JSAtom *)right);
    return a < b ? -1 : a > b;
}

/* The keys that come first, in the order of their numbers. */
static bool inside_sort_indexes(InsideWalk *walk, uint32_t most)
{
    JSContext *ctx = walk->ctx;
    JSShape *shape = JS_VALUE_GET_OBJ(walk->object)->shape;
    JSShapeProperty *prs = get_shape_prop(shape);
    uint32_t index;

    walk->indexes = js_malloc_rt(ctx->rt, most * sizeof *walk->indexes);
    if (!walk->indexes)
        return false;
    for (int i = 0; i < shape->prop_count; i++)
        if (inside_is_name(ctx, &prs[i]) && JS_AtomIsArrayIndex(ctx, &index, prs[i].atom))
            walk->indexes[walk->index_count++] = prs[i].atom;
    rqsort(walk->indexes, walk->index_count, sizeof *walk->indexes, inside_compare_indexes, ctx);
    return true;
}

bool inside_walk_begin(JSContext *ctx, JSValueConst object, uint64_t most, InsideWalk *out_walk)
{
    JSShape *shape = JS_VALUE_GET_OBJ(object)->shape;
    JSShapeProperty *prs = get_shape_prop(shape);
    uint32_t names = 0, indexes = 0, index;

    for (int i = 0; i < shape->prop_count; i++) {
        if (inside_is_name(ctx, &prs[i])) {
            names++;
            indexes += JS_AtomIsArrayIndex(ctx, &index, prs[i].atom);
        }
    }
    *out_walk = (InsideWalk){.ctx = ctx, .object = object, .count = names};
    return indexes == 0 || names > most || inside_sort_indexes(out_walk, indexes);
}

bool inside_walk_next(InsideWalk *walk, InsideProperty *out_property)
{
    JSObject *p = JS_VALUE_GET_OBJ(walk->object);
    uint32_t index;

    if (walk->index_next < walk->index_count) {
        inside_own(walk->ctx, walk->object, walk->indexes[walk->index_next++], out_property);
        return true;
    }
    while (walk->next < (uint32_t)p->shape->prop_count) {
        uint32_t at = walk->next++;
        JSShapeProperty *prs = &get_shape_prop(p->shape)[at];
        if (!inside_is_name(walk->ctx, prs) ||
            (walk->index_count > 0 && JS_AtomIsArrayIndex(walk->ctx, &index, prs->atom)))
            continue;
        inside_slot(walk->ctx, p, at, out_property);
        return true;
    }
    return false;
}

void inside_walk_end(InsideWalk *walk)
{
    js_free_rt(walk->ctx->rt, walk->indexes);
    walk->indexes = NULL;
}

/* ---- arrays, collections, bytes ---- */

void inside_array(JSContext *ctx, JSValueConst array, uint32_t *out_length, uint32_t *out_dense,
                  bool *out_sparse)
{
    JSObject *p = JS_VALUE_GET_OBJ(array);
    InsideProperty length;
    double count = 0;

    *out_dense = p->fast_array ? p->u.array.count : 0;
    *out_sparse = !p->fast_array;
    inside_own(ctx, array, JS_ATOM_length, &length);
    if (JS_VALUE_GET_NORM_TAG(length.value) == JS_TAG_INT)
        count = JS_VALUE_GET_INT(length.value);
    else if (JS_VALUE_GET_NORM_TAG(length.value) == JS_TAG_FLOAT64)
        count = JS_VALUE_GET_FLOAT64(length.value);
    /* The length of an arguments object is an ordinary property: it may say anything. */
    *out_length = count >= 0 && count <= UINT32_MAX ? (uint32_t)count : 0;
    if (*out_dense > *out_length)
        *out_dense = *out_length;
}

const JSValue *inside_array_values(JSValueConst array)
{
    JSObject *p = JS_VALUE_GET_OBJ(array);

    return p->fast_array && p->class_id != JS_CLASS_MAPPED_ARGUMENTS ? p->u.array.u.values : NULL;
}

void inside_array_item(JSContext *ctx, JSValueConst array, uint32_t index, InsideProperty *out_item)
{
    JSObject *p = JS_VALUE_GET_OBJ(array);

    *out_item = (InsideProperty){.value = JS_UNDEFINED};
    if (p->fast_array) {
        if (index >= p->u.array.count)
            return;
        out_item->slot = INSIDE_DATA;
        out_item->value = p->class_id == JS_CLASS_MAPPED_ARGUMENTS
                              ? *p->u.array.u.var_refs[index]->pvalue
                              : p->u.array.u.values[index];
    } else if (index <= JS_ATOM_MAX_INT) {
        inside_own(ctx, array, __JS_AtomFromUInt32(index), out_item);
    }
}

static JSMapState *inside_collection(JSValueConst collection)
{
    return JS_VALUE_GET_OBJ(collection)->u.map_state;
}

uint32_t inside_collection_count(JSValueConst collection)
{
    JSMapState *state = inside_collection(collection);

    return state ? state->record_count : 0;
}

bool inside_collection_next(JSValueConst collection, void **cursor, JSValueConst *out_key,
                            JSValueConst *out_value)
{
    JSMapState *state = inside_collection(collection);

    if (!state)
        return false;
    struct list_head *at = *cursor ? ((struct list_head *)*cursor)->next : state->records.next;
    for (; at != &state->records; at = at->next) {
        JSMapRecord *record = list_entry(at, JSMapRecord, link);
        if (record->empty)
            continue; /* deleted, kept for an iterator that stands on it */
        *out_key = record->key;
        *out_value = record->value;
        *cursor = at;
        return true;
    }
    return false;
}

void inside_bytes(JSValueConst object, InsideBytes *out_bytes)
{
    JSObject *p = JS_VALUE_GET_OBJ(object);
    JSArrayBuffer *buffer = p->u.array_buffer;

    *out_bytes = (InsideBytes){.data = NULL};
    if (is_typed_array(p->class_id)) {
        out_bytes->type = (JSTypedArrayEnum)(p->class_id - JS_CLASS_UINT8C_ARRAY);
        out_bytes->gone = typed_array_is_oob(p);
        if (!out_bytes->gone) {
            out_bytes->data = p->u.array.u.uint8_ptr;
            out_bytes->length = (size_t)p->u.array.count << typed_array_size_log2(p->class_id);
        }
    } else if (p->class_id == JS_CLASS_DATAVIEW) {
        JSTypedArray *view = p->u.typed_array;
        buffer = view->buffer->u.array_buffer;
        out_bytes->gone = dataview_is_oob(p);
        if (!out_bytes->gone) {
            out_bytes->data = buffer->data + view->offset;
            out_bytes->length =
                view->track_rab ? (uint32_t)buffer->byte_length - view->offset : view->length;
        }
    } else if (buffer->detached) {
        out_bytes->gone = true;
    } else {
        out_bytes->data = buffer->data;
        out_bytes->length = (size_t)buffer->byte_length;
    }
}

/* ---- errors ---- */

JSValueConst inside_error_stack(JSValueConst error)
{
    JSObject *p = JS_VALUE_GET_OBJ(error);

    return p->class_id == JS_CLASS_ERROR ? p->u.object_data : JS_UNDEFINED;
}

void inside_dom_exception(JSValueConst exception, JSValueConst *out_name, JSValueConst *out_message)
{
    JSDOMExceptionData *data = JS_VALUE_GET_OBJ(exception)->u.opaque;

    *out_name = data ? data->name : JS_UNDEFINED;
    *out_message = data ? data->message : JS_UNDEFINED;
}

void inside_class_name(JSContext *ctx, JSValueConst object, char *out_name, size_t size)
{
    JSAtom name = ctx->rt->class_array[JS_VALUE_GET_OBJ(object)->class_id].class_name;
    char digits[12];
    InsideText text;
    size_t length = 0;

    inside_key_text(ctx, name, digits, &text);
    for (; !text.wide && length < text.count && length + 1 < size; length++)
        out_name[length] = ((const char *)text.units)[length];
    out_name[length] = '\0';
}

/* ---- making ---- */

JSValue inside_new_error(JSContext *ctx, const char *name, size_t length, bool *out_named)
{
    for (int i = 0; i < JS_NATIVE_ERROR_COUNT; i++) {
        if (strlen(native_error_name[i]) == length &&
            memcmp(native_error_name[i], name, length) == 0) {
            *out_named = true;
            return JS_NewObjectProtoClass(ctx, ctx->native_error_proto[i], JS_CLASS_ERROR);
        }
    }
    *out_named = length == 5 && memcmp(name, "Error", 5) == 0;
    return JS_NewObjectClass(ctx, JS_CLASS_ERROR);
}

void inside_error_set_stack(JSContext *ctx, JSValueConst error, JSValue stack)
{
    JSObject *p = JS_VALUE_GET_OBJ(error);

    assert(p->class_id == JS_CLASS_ERROR);
    JS_FreeValue(ctx, p->u.object_data);
    p->u.object_data = stack;
}

JSValue inside_new_latin1(JSContext *ctx, const uint8_t *bytes, size_t length)
{
    if (length == 0 || length > JS_STRING_LEN_MAX)
        return JS_NewStringLen(ctx, (const char *)bytes, length);
    return js_new_string8_len(ctx, (const char *)bytes, (int)length);
}

JSValue inside_new_collection(JSContext *ctx, InsideKind kind)
{
    return js_map_constructor(ctx, JS_UNDEFINED, 0, NULL, kind == INSIDE_SET ? MAGIC_SET : 0);
}

bool inside_collection_add(JSContext *ctx, JSValueConst collection, JSValueConst key,
                           JSValueConst value)
{
    JSValueConst arguments[2] = {key, value};
    int magic = JS_VALUE_GET_OBJ(collection)->class_id == JS_CLASS_SET ? MAGIC_SET : 0;
    JSValue result = js_map_set(ctx, collection, 2, arguments, magic);

    if (JS_IsException(result))
        return false;
    JS_FreeValue(ctx, result);
    return true;
}

bool inside_array_push(JSContext *ctx, JSValueConst array, JSValue value)
{
    JSObject *p = JS_VALUE_GET_OBJ(array);

    assert(p->class_id == JS_CLASS_ARRAY && p->fast_array && p->extensible);
    return add_fast_array_element(ctx, p, value, 0) > 0;
}

JSValue inside_new_bigint(JSContext *ctx, const uint8_t *magnitude, size_t length, bool minus)
{
    if (length / sizeof(js_limb_t) >= JS_BIGINT_MAX_SIZE)
        return JS_ThrowOutOfMemory(ctx);
    int count = (int)(length / sizeof(js_limb_t)) + 1; /* one bit more, for the sign */
    JSBigInt *p = js_bigint_new(ctx, count);

    if (!p)
        return JS_EXCEPTION;
    memset(p->tab, 0, (size_t)count * sizeof p->tab[0]);
    for (size_t i = 0; i < length; i++)
        p->tab[i / sizeof(js_limb_t)] |= (js_limb_t)magnitude[length - 1 - i]
                                         << 8 * (i % sizeof(js_limb_t));
    /* -1 - n is the complement of n. */
    for (int i = 0; minus && i < count; i++)
        p->tab[i] = ~p->tab[i];
    return JS_CompactBigInt(ctx, js_bigint_normalize(ctx, p));
}

JSValue inside_new_regexp(JSContext *ctx, JSValueConst pattern, JSValueConst flags)
{
    JSValue bytecode = js_compile_regexp(ctx, pattern, flags);

    if (JS_IsException(bytecode))
        return JS_EXCEPTION;
    return js_regexp_constructor_internal(ctx, JS_UNDEFINED, js_dup(pattern), bytecode);
}

JSValue inside_new_typed(JSContext *ctx, JSTypedArrayEnum type, JSValueConst buffer)
{
    return JS_NewTypedArray(ctx, 1, &buffer, type);
}

JSValue inside_new_view(JSContext *ctx, JSValueConst buffer)
{
    return js_dataview_constructor(ctx, JS_UNDEFINED, 1, &buffer);
}

/* ---- for structuredClone ---- */

JSValue inside_list(JSContext *ctx, JSValueConst iterable)
{
    return iterator_to_array(ctx, iterable);
}

JSValue inside_new_dom_exception(JSContext *ctx, JSValueConst name, JSValueConst message)
{
    JSValueConst arguments[2] = {message, name};

    return js_domexception_constructor0(ctx, JS_UNDEFINED, 2, arguments, 0);
}

static JSArrayBuffer *inside_buffer(JSValueConst buffer)
{
    return JS_VALUE_GET_OBJ(buffer)->u.array_buffer;
}

JSValue inside_copy_buffer(JSContext *ctx, JSValueConst buffer)
{
    JSArrayBuffer *from = inside_buffer(buffer);
    JSValue copy = JS_NewArrayBufferCopy(ctx, from->data, (size_t)from->byte_length);

    if (!JS_IsException(copy))
        inside_buffer(copy)->max_byte_length = from->max_byte_length;
    return copy;
}

JSValueConst inside_view_buffer(JSValueConst view)
{
    return JS_MKPTR(JS_TAG_OBJECT, JS_VALUE_GET_OBJ(view)->u.typed_array->buffer);
}

JSValue inside_same_view(JSContext *ctx, JSValueConst view, JSValueConst buffer)
{
    JSObject *p = JS_VALUE_GET_OBJ(view);
    JSTypedArray *from = p->u.typed_array;
    uint32_t bytes = (uint32_t)inside_buffer(buffer)->byte_length;
    uint32_t length =
        from->track_rab && from->offset <= bytes ? bytes - from->offset : from->length;

    if (inside_buffer(buffer)->detached || from->offset > bytes || length > bytes - from->offset)
        return JS_UNDEFINED;
    if (p->class_id == JS_CLASS_DATAVIEW) {
        JSValueConst arguments[3] = {buffer, js_uint32(from->offset),
                                     from->track_rab ? JS_UNDEFINED : js_uint32(length)};
        return js_dataview_constructor(ctx, JS_UNDEFINED, 3, arguments);
    }
    JSValue value = JS_NewObjectClass(ctx, p->class_id);
    if (!JS_IsException(value) &&
        typed_array_init(ctx, value, js_dup(buffer), from->offset,
                         length >> typed_array_size_log2(p->class_id), from->track_rab) < 0) {
        JS_FreeValue(ctx, value);
        return JS_EXCEPTION;
    }
    return value;
}

bool inside_buffer_movable(JSValueConst buffer)
{
    JSArrayBuffer *p = inside_buffer(buffer);

    return !p->detached && !p->shared && !p->immutable;
}

JSValue inside_borrow_buffer(JSContext *ctx, JSValueConst owner)
{
    JSArrayBuffer *from = inside_buffer(owner);
    JSValue value =
        js_array_buffer_constructor3(ctx, JS_UNDEFINED, (uint64_t)from->byte_length, NULL,
                                     JS_CLASS_ARRAY_BUFFER, from->data, NULL, NULL, false);

    /* Without a function to free its bytes it does not own them. */
    if (!JS_IsException(value))
        inside_buffer(value)->max_byte_length = from->max_byte_length;
    return value;
}

static void inside_empty_buffer(JSArrayBuffer *p)
{
    p->data = NULL;
    p->byte_length = 0;
    p->detached = true;
    p->realloc_func = NULL;
    p->opaque = NULL;
    js_array_buffer_update_typed_arrays(p);
}

bool inside_loan_holds(JSValueConst owner, JSValueConst borrower)
{
    JSArrayBuffer *from = inside_buffer(owner), *to = inside_buffer(borrower);

    return !from->detached && !from->immutable && from->data == to->data &&
           from->byte_length == to->byte_length;
}

void inside_move_buffer(JSValueConst owner, JSValueConst borrower)
{
    JSArrayBuffer *from = inside_buffer(owner), *to = inside_buffer(borrower);

    to->realloc_func = from->realloc_func;
    to->opaque = from->opaque;
    inside_empty_buffer(from);
}

void inside_return_buffer(JSValueConst borrower)
{
    inside_empty_buffer(inside_buffer(borrower));
}
