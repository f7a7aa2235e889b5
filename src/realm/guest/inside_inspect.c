/* Looking at values without running the program.
 *
 * Every function here answers from the engine's own records: shapes, slots and class numbers. A
 * proxy stands for its innermost target and no trap is called; an accessor is never called, with
 * one exception, the engine's own accessors that read a slot (`stack` of an error, `name` and
 * `message` of a DOMException, the tag of a typed array), which are known by their C function.
 *
 * Reading order: unwrapping, reading, keys, classes, collections, regular expressions, text codecs,
 * and last the table that makes the intrinsics object.
 *
 * The one invariant: nothing in this file may call JS_Call, JS_GetProperty on an object of the
 * program, or a conversion of an object to a primitive.
 */
#include "inside_inspect.h"

/* Pass-through of the functions of the prelude itself: uncurry() makes `f(self, a)` out of a
 * method. It is the one place that calls, and it calls only what the prelude captured. */
static JSValue inspect_call_method(JSContext *ctx, JSValueConst this_val, int argc,
                                   JSValueConst *argv, int magic, JSValueConst *data)
{
    (void)this_val;
    (void)magic;
    if (argc == 0)
        return JS_Call(ctx, data[0], JS_UNDEFINED, 0, NULL);
    return JS_Call(ctx, data[0], argv[0], argc - 1, argv + 1);
}

static JSValue inspect_uncurry(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    return JS_NewCFunctionData(ctx, inspect_call_method, 0, 0, 1, argv);
}

/* The innermost target of a proxy, or the object itself. NULL for what is no object and for a
 * revoked proxy. Borrowed from `value`. */
static JSObject *inspect_unwrap(JSValueConst value)
{
    JSObject *p;

    if (JS_VALUE_GET_TAG(value) != JS_TAG_OBJECT)
        return NULL;
    p = JS_VALUE_GET_OBJ(value);
    while (p->class_id == JS_CLASS_PROXY) {
        JSProxyData *proxy = p->u.proxy_data;

        if (!proxy || proxy->is_revoked || JS_VALUE_GET_TAG(proxy->target) != JS_TAG_OBJECT)
            return NULL;
        p = JS_VALUE_GET_OBJ(proxy->target);
    }
    return p;
}

/* The prototype of an ordinary object, seen through a proxy. Borrowed. */
static JSObject *inspect_parent(JSObject *p)
{
    JSObject *proto = p->shape->proto;

    if (!proto)
        return NULL;
    return inspect_unwrap(JS_MKPTR(JS_TAG_OBJECT, proto));
}

/* proxyDetails(value, full): undefined for what is no proxy, null for a revoked one, else the
 * innermost target, or with `full` the pair [target, handler]. */
static JSValue inspect_proxy_details(JSContext *ctx, JSValueConst this_val, int argc,
                                     JSValueConst *argv)
{
    JSProxyData *proxy;
    JSObject *target;

    (void)this_val;
    (void)argc;
    if (JS_VALUE_GET_TAG(argv[0]) != JS_TAG_OBJECT)
        return JS_UNDEFINED;
    if (JS_VALUE_GET_OBJ(argv[0])->class_id != JS_CLASS_PROXY)
        return JS_UNDEFINED;
    proxy = JS_VALUE_GET_OBJ(argv[0])->u.proxy_data;
    if (!proxy || proxy->is_revoked)
        return JS_NULL;
    if (JS_VALUE_GET_TAG(argv[1]) == JS_TAG_BOOL && JS_VALUE_GET_BOOL(argv[1])) {
        JSValueConst pair[2] = {proxy->target, proxy->handler};

        return js_create_array(ctx, 2, pair);
    }
    target = inspect_unwrap(argv[0]);
    return target ? js_dup(JS_MKPTR(JS_TAG_OBJECT, target)) : JS_NULL;
}

static JSValue inspect_prototype(JSContext *ctx, JSValueConst this_val, int argc,
                                 JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);

    (void)ctx;
    (void)this_val;
    (void)argc;
    p = p ? inspect_parent(p) : NULL;
    return p ? js_dup(JS_MKPTR(JS_TAG_OBJECT, p)) : JS_NULL;
}

/* An accessor of the engine's that only reads a slot of `holder`: its value; JS_UNINITIALIZED for
 * every other accessor. */
static JSValue inspect_slot_getter(JSContext *ctx, JSObject *getter, JSObject *receiver)
{
    JSValue self = JS_MKPTR(JS_TAG_OBJECT, receiver);

    if (!getter || getter->class_id != JS_CLASS_C_FUNCTION)
        return JS_UNINITIALIZED;
    if (getter->u.cfunc.c_function.getter == js_error_get_stack)
        return js_error_get_stack(ctx, self);
    if (getter->u.cfunc.c_function.getter == js_typed_array_get_toStringTag)
        return js_typed_array_get_toStringTag(ctx, self);
    if (getter->u.cfunc.c_function.getter == js_iterator_proto_get_toStringTag)
        return js_iterator_proto_get_toStringTag(ctx, self);
    if (getter->u.cfunc.c_function.getter_magic == js_domexception_getfield &&
        receiver->class_id == JS_CLASS_DOM_EXCEPTION)
        return js_domexception_getfield(ctx, self, getter->u.cfunc.magic);
    return JS_UNINITIALIZED;
}

/* Looks `atom` up from `p` along the prototypes. 1 and *out_value, or 0: absent, an accessor, or a
 * binding that cannot be read; -1 when memory ran out. */
static int inspect_lookup(JSContext *ctx, JSObject *p, JSAtom atom, JSValue *out_value)
{
    JSObject *receiver = p;
    JSPropertyDescriptor desc;
    int found;

    for (; p; p = inspect_parent(p)) {
        found = JS_GetOwnPropertyInternal(ctx, &desc, p, atom);
        if (found < 0)
            return -1;
        if (!found)
            continue;
        if (desc.flags & JS_PROP_GETSET) {
            JSValue slot = JS_UNINITIALIZED;

            if (JS_VALUE_GET_TAG(desc.getter) == JS_TAG_OBJECT)
                slot = inspect_slot_getter(ctx, JS_VALUE_GET_OBJ(desc.getter), receiver);
            js_free_desc(ctx, &desc);
            if (JS_IsException(slot))
                return -1;
            if (JS_IsUninitialized(slot))
                return 0;
            *out_value = slot;
            return 1;
        }
        *out_value = desc.value;
        return 1;
    }
    return 0;
}

/* get(object, key): the value of a data property, own or inherited; undefined for accessors. */
static JSValue inspect_get(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);
    JSValue value = JS_UNDEFINED;
    JSAtom atom;
    int found;

    (void)this_val;
    (void)argc;
    if (!p)
        return JS_UNDEFINED;
    atom = JS_ValueToAtom(ctx, argv[1]);
    if (atom == JS_ATOM_NULL)
        return JS_EXCEPTION;
    found = inspect_lookup(ctx, p, atom, &value);
    JS_FreeAtom(ctx, atom);
    return found < 0 ? JS_EXCEPTION : value;
}

/* stackOf(error): what `stack` holds where the program set it, else the frames the engine kept, of
 * the object or of the first error it inherits from. */
static JSValue inspect_stack_of(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);
    JSPropertyDescriptor desc;
    int found;

    (void)this_val;
    (void)argc;
    for (; p; p = inspect_parent(p)) {
        found = JS_GetOwnPropertyInternal(ctx, &desc, p, JS_ATOM_stack);
        if (found < 0)
            return JS_EXCEPTION;
        if (found && !(desc.flags & JS_PROP_GETSET))
            return desc.value;
        if (found)
            js_free_desc(ctx, &desc);
        if (p->class_id == JS_CLASS_ERROR)
            return js_dup(p->u.object_data);
    }
    return JS_UNDEFINED;
}

/* has(object, key): whether the property exists, own or inherited. */
static JSValue inspect_has(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);
    JSAtom atom;
    int found = 0;

    (void)this_val;
    (void)argc;
    atom = JS_ValueToAtom(ctx, argv[1]);
    if (atom == JS_ATOM_NULL)
        return JS_EXCEPTION;
    for (; p && found == 0; p = inspect_parent(p))
        found = JS_GetOwnPropertyInternal(ctx, NULL, p, atom);
    JS_FreeAtom(ctx, atom);
    return found < 0 ? JS_EXCEPTION : js_bool(found);
}

/* The flags of an own property into *out_flags: 1, 0 when absent, -1 on failure. */
static int inspect_own_flags(JSContext *ctx, JSValueConst object, JSValueConst key, int *out_flags)
{
    JSObject *p = inspect_unwrap(object);
    JSAtom atom;
    int found;

    if (!p)
        return 0;
    atom = JS_ValueToAtom(ctx, key);
    if (atom == JS_ATOM_NULL)
        return -1;
    found = JS_GetOwnPropertyFlagsInternal(ctx, out_flags, p, atom);
    JS_FreeAtom(ctx, atom);
    return found;
}

static JSValue inspect_has_own(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int flags = 0;
    int found = inspect_own_flags(ctx, argv[0], argv[1], &flags);

    (void)this_val;
    (void)argc;
    return found < 0 ? JS_EXCEPTION : js_bool(found);
}

static JSValue inspect_is_enumerable(JSContext *ctx, JSValueConst this_val, int argc,
                                     JSValueConst *argv)
{
    int flags = 0;
    int found = inspect_own_flags(ctx, argv[0], argv[1], &flags);

    (void)this_val;
    (void)argc;
    return found < 0 ? JS_EXCEPTION : js_bool(found && (flags & JS_PROP_ENUMERABLE) != 0);
}

static int inspect_define(JSContext *ctx, JSValueConst object, const char *name, JSValue value)
{
    return JS_DefinePropertyValueStr(ctx, object, name, value, JS_PROP_C_W_E);
}

/* descriptor(object, key): a null-prototype object with every field present, or undefined. */
static JSValue inspect_descriptor(JSContext *ctx, JSValueConst this_val, int argc,
                                  JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);
    JSPropertyDescriptor desc;
    JSValue out;
    JSAtom atom;
    int found;

    (void)this_val;
    (void)argc;
    if (!p)
        return JS_UNDEFINED;
    atom = JS_ValueToAtom(ctx, argv[1]);
    if (atom == JS_ATOM_NULL)
        return JS_EXCEPTION;
    found = JS_GetOwnPropertyInternal(ctx, &desc, p, atom);
    JS_FreeAtom(ctx, atom);
    if (found <= 0)
        return found < 0 ? JS_EXCEPTION : JS_UNDEFINED;
    out = JS_NewObjectProto(ctx, JS_NULL);
    if (JS_IsException(out)) {
        js_free_desc(ctx, &desc);
        return JS_EXCEPTION;
    }
    if (inspect_define(ctx, out, "value", js_dup(desc.value)) < 0 ||
        inspect_define(ctx, out, "get", js_dup(desc.getter)) < 0 ||
        inspect_define(ctx, out, "set", js_dup(desc.setter)) < 0 ||
        inspect_define(ctx, out, "enumerable", js_bool(desc.flags & JS_PROP_ENUMERABLE)) < 0) {
        JS_FreeValue(ctx, out);
        out = JS_EXCEPTION;
    }
    js_free_desc(ctx, &desc);
    return out;
}

/* instanceOf(object, constructor): OrdinaryHasInstance without Symbol.hasInstance, traps, getters.
 */
static JSValue inspect_instance_of(JSContext *ctx, JSValueConst this_val, int argc,
                                   JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);
    JSObject *constructor = inspect_unwrap(argv[1]);
    JSValue prototype = JS_UNDEFINED;
    JSObject *wanted;
    int found = 0;

    (void)this_val;
    (void)argc;
    if (!p || !constructor)
        return JS_FALSE;
    if (inspect_lookup(ctx, constructor, JS_ATOM_prototype, &prototype) < 0)
        return JS_EXCEPTION;
    wanted = inspect_unwrap(prototype);
    for (p = inspect_parent(p); p && wanted && !found; p = inspect_parent(p))
        found = p == wanted;
    JS_FreeValue(ctx, prototype);
    return js_bool(found);
}

/* keys(object, flags, limit): own keys in the order of the language. flags: 1 strings, 2 symbols,
 * 16 only enumerable ones. */
static JSValue inspect_keys(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);
    JSPropertyEnum *table = NULL;
    uint32_t count = 0, limit = UINT32_MAX, i;
    JSValue out;
    int flags;

    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &flags, argv[1]) < 0)
        return JS_EXCEPTION;
    if (!JS_IsUndefined(argv[2]) && JS_ToUint32(ctx, &limit, argv[2]) < 0)
        return JS_EXCEPTION;
    out = JS_NewArray(ctx);
    if (!p || JS_IsException(out))
        return out;
    if (JS_GetOwnPropertyNamesInternal(ctx, &table, &count, p, flags) < 0) {
        JS_FreeValue(ctx, out);
        return JS_EXCEPTION;
    }
    for (i = 0; i < count && i < limit; i++) {
        JSValue key = JS_AtomToValue(ctx, table[i].atom);

        if (JS_IsException(key) ||
            JS_DefinePropertyValueUint32(ctx, out, i, key, JS_PROP_C_W_E) < 0) {
            JS_FreeValue(ctx, out);
            out = JS_EXCEPTION;
            break;
        }
    }
    js_free_prop_enum(ctx, table, count);
    return out;
}

/* One pass of nonIndexKeys: appends the keys of one kind found in the shape. */
static int inspect_push_shape_keys(JSContext *ctx, JSValueConst out, uint32_t *io_count,
                                   JSObject *p, int only_enumerable, JSAtomKindEnum kind)
{
    uint32_t i, index;

    /* The shape is read again each time: making a key may collect garbage, never reshape `p`. */
    for (i = 0; i < (uint32_t)p->shape->prop_count; i++) {
        JSShapeProperty *prs = get_shape_prop(p->shape) + i;
        JSValue key;

        if (prs->atom == JS_ATOM_NULL || JS_AtomGetKind(ctx, prs->atom) != kind)
            continue;
        if (only_enumerable && !(prs->flags & JS_PROP_ENUMERABLE))
            continue;
        if (kind == JS_ATOM_KIND_STRING && JS_AtomIsArrayIndex(ctx, &index, prs->atom))
            continue;
        key = JS_AtomToValue(ctx, prs->atom);
        if (JS_IsException(key) ||
            JS_DefinePropertyValueUint32(ctx, out, (*io_count)++, key, JS_PROP_C_W_E) < 0)
            return -1;
    }
    return 0;
}

/* nonIndexKeys(array, only enumerable): the own keys that are no index. Reads the shape alone, so a
 * million elements cost nothing. */
static JSValue inspect_non_index_keys(JSContext *ctx, JSValueConst this_val, int argc,
                                      JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);
    int only_enumerable = JS_VALUE_GET_TAG(argv[1]) == JS_TAG_BOOL && JS_VALUE_GET_BOOL(argv[1]);
    uint32_t count = 0;
    JSValue out = JS_NewArray(ctx);

    (void)this_val;
    (void)argc;
    if (!p || JS_IsException(out))
        return out;
    if (inspect_push_shape_keys(ctx, out, &count, p, only_enumerable, JS_ATOM_KIND_STRING) < 0 ||
        inspect_push_shape_keys(ctx, out, &count, p, only_enumerable, JS_ATOM_KIND_SYMBOL) < 0) {
        JS_FreeValue(ctx, out);
        return JS_EXCEPTION;
    }
    return out;
}

/* classOf(value): the engine's class number, 0 for what is no object. A proxy is a proxy. */
static JSValue inspect_class_of(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)ctx;
    (void)this_val;
    (void)argc;
    if (JS_VALUE_GET_TAG(argv[0]) != JS_TAG_OBJECT)
        return js_int32(0);
    return js_int32(JS_VALUE_GET_OBJ(argv[0])->class_id);
}

/* className(object): the name the engine gives the class, for objects that lost their prototype. */
static JSValue inspect_class_name(JSContext *ctx, JSValueConst this_val, int argc,
                                  JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);

    (void)this_val;
    (void)argc;
    if (!p)
        return JS_AtomToString(ctx, JS_ATOM_Object);
    switch (p->class_id) {
    case JS_CLASS_C_FUNCTION:
    case JS_CLASS_C_FUNCTION_DATA:
    case JS_CLASS_C_CLOSURE:
    case JS_CLASS_BYTECODE_FUNCTION:
    case JS_CLASS_BOUND_FUNCTION:
        return JS_AtomToString(ctx, JS_ATOM_Function);
    default:
        return JS_AtomToString(ctx, ctx->rt->class_array[p->class_id].class_name);
    }
}

/* promiseDetails(promise): [0 pending, 1 fulfilled, 2 rejected; result]. */
static JSValue inspect_promise_details(JSContext *ctx, JSValueConst this_val, int argc,
                                       JSValueConst *argv)
{
    JSPromiseData *promise = JS_GetOpaque(argv[0], JS_CLASS_PROMISE);
    JSValueConst pair[2];

    (void)this_val;
    (void)argc;
    if (!promise)
        return JS_UNDEFINED;
    pair[0] = js_int32((int)promise->promise_state);
    pair[1] = promise->promise_state == JS_PROMISE_PENDING ? JS_UNDEFINED : promise->promise_result;
    return js_create_array(ctx, 2, pair);
}

/* boxed(object): the primitive inside a boxed one, or undefined. */
static JSValue inspect_boxed(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);

    (void)ctx;
    (void)this_val;
    (void)argc;
    if (!p)
        return JS_UNDEFINED;
    switch (p->class_id) {
    case JS_CLASS_NUMBER:
    case JS_CLASS_STRING:
    case JS_CLASS_BOOLEAN:
    case JS_CLASS_SYMBOL:
    case JS_CLASS_BIG_INT:
        return js_dup(p->u.object_data);
    default:
        return JS_UNDEFINED;
    }
}

/* What a collection or an iterator over one still holds. */
typedef struct InspectEntries {
    JSMapState *state;
    struct list_head *first;
    int keyed; /* keys and values, not one of them */
    int value_side;
} InspectEntries;

static int inspect_entries_of(JSObject *p, InspectEntries *out)
{
    JSMapIteratorData *it;

    switch (p->class_id) {
    case JS_CLASS_MAP:
    case JS_CLASS_WEAKMAP:
        out->state = p->u.map_state;
        out->first = out->state->records.next;
        out->keyed = 1;
        return 1;
    case JS_CLASS_SET:
    case JS_CLASS_WEAKSET:
        out->state = p->u.map_state;
        out->first = out->state->records.next;
        return 1;
    case JS_CLASS_MAP_ITERATOR:
    case JS_CLASS_SET_ITERATOR:
        it = p->u.map_iterator_data;
        out->keyed = it->kind == JS_ITERATOR_KIND_KEY_AND_VALUE;
        if (JS_VALUE_GET_TAG(it->obj) != JS_TAG_OBJECT)
            return 1;
        out->value_side =
            p->class_id == JS_CLASS_MAP_ITERATOR && it->kind == JS_ITERATOR_KIND_VALUE;
        out->state = JS_VALUE_GET_OBJ(it->obj)->u.map_state;
        out->first = it->cur_record ? it->cur_record->link.next : out->state->records.next;
        return 1;
    default:
        return 0;
    }
}

/* Pushes the part of one record that the collection shows. A set's record is its own value. */
static int inspect_push_record(JSContext *ctx, JSValueConst list, uint32_t *io_count,
                               const InspectEntries *from, JSMapRecord *record, int is_set)
{
    JSValue key = from->value_side ? record->value : record->key;
    JSValue value = is_set ? record->key : record->value;

    if (JS_DefinePropertyValueUint32(ctx, list, (*io_count)++, js_dup(key), JS_PROP_C_W_E) < 0)
        return -1;
    if (!from->keyed)
        return 0;
    return JS_DefinePropertyValueUint32(ctx, list, (*io_count)++, js_dup(value), JS_PROP_C_W_E);
}

/* entries(collection or iterator over one, limit): [flat list, keyed, how many in all]. At most
 * `limit` entries are listed. Undefined for anything else. */
static JSValue inspect_entries(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSObject *p = inspect_unwrap(argv[0]);
    InspectEntries from = {0};
    JSValue list, out;
    JSValueConst result[3];
    uint32_t limit, count = 0, total = 0;
    struct list_head *el;
    int is_set;

    (void)this_val;
    (void)argc;
    if (JS_ToUint32(ctx, &limit, argv[1]) < 0)
        return JS_EXCEPTION;
    if (!p || !inspect_entries_of(p, &from))
        return JS_UNDEFINED;
    is_set = p->class_id == JS_CLASS_SET || p->class_id == JS_CLASS_WEAKSET ||
             p->class_id == JS_CLASS_SET_ITERATOR;
    list = JS_NewArray(ctx);
    if (JS_IsException(list))
        return JS_EXCEPTION;
    for (el = from.first; from.state && el != &from.state->records; el = el->next) {
        JSMapRecord *record = list_entry(el, JSMapRecord, link);

        if (record->empty)
            continue;
        if (total++ < limit && inspect_push_record(ctx, list, &count, &from, record, is_set) < 0) {
            JS_FreeValue(ctx, list);
            return JS_EXCEPTION;
        }
    }
    result[0] = list;
    result[1] = js_bool(from.keyed);
    result[2] = js_int32((int32_t)total);
    out = js_create_array(ctx, 3, result);
    JS_FreeValue(ctx, list);
    return out;
}

/* regexpText(regexp): `/source/flags` from the compiled expression. */
static JSValue inspect_regexp_text(JSContext *ctx, JSValueConst this_val, int argc,
                                   JSValueConst *argv)
{
    static const struct {
        int flag;
        char letter;
    } letters[] = {
        {LRE_FLAG_INDICES, 'd'},      {LRE_FLAG_GLOBAL, 'g'}, {LRE_FLAG_IGNORECASE, 'i'},
        {LRE_FLAG_MULTILINE, 'm'},    {LRE_FLAG_DOTALL, 's'}, {LRE_FLAG_UNICODE, 'u'},
        {LRE_FLAG_UNICODE_SETS, 'v'}, {LRE_FLAG_STICKY, 'y'},
    };
    JSRegExp *re = js_get_regexp(ctx, argv[0], false);
    char tail[16];
    JSValue source;
    size_t i, n = 0;
    int flags;

    (void)this_val;
    (void)argc;
    if (!re)
        return JS_UNDEFINED;
    flags = lre_get_flags(str8(re->bytecode));
    tail[n++] = '/';
    for (i = 0; i < countof(letters); i++)
        if (flags & letters[i].flag)
            tail[n++] = letters[i].letter;
    tail[n] = '\0';
    source = js_regexp_get_source(ctx, argv[0]);
    if (JS_IsException(source))
        return source;
    return JS_ConcatString3(ctx, "/", source, tail);
}

#include "inside_text.c"

/* The class numbers the prelude tells apart, by the name it knows them under. */
static const struct {
    const char *name;
    int class_id;
} inspect_classes[] = {
    {"ARRAY", JS_CLASS_ARRAY},
    {"ERROR", JS_CLASS_ERROR},
    {"NUMBER", JS_CLASS_NUMBER},
    {"STRING", JS_CLASS_STRING},
    {"BOOLEAN", JS_CLASS_BOOLEAN},
    {"SYMBOL", JS_CLASS_SYMBOL},
    {"BIG_INT", JS_CLASS_BIG_INT},
    {"ARGUMENTS", JS_CLASS_ARGUMENTS},
    {"MAPPED_ARGUMENTS", JS_CLASS_MAPPED_ARGUMENTS},
    {"DATE", JS_CLASS_DATE},
    {"MODULE_NS", JS_CLASS_MODULE_NS},
    {"GENERATOR_FUNCTION", JS_CLASS_GENERATOR_FUNCTION},
    {"ASYNC_FUNCTION", JS_CLASS_ASYNC_FUNCTION},
    {"ASYNC_GENERATOR_FUNCTION", JS_CLASS_ASYNC_GENERATOR_FUNCTION},
    {"REGEXP", JS_CLASS_REGEXP},
    {"ARRAY_BUFFER", JS_CLASS_ARRAY_BUFFER},
    {"SHARED_ARRAY_BUFFER", JS_CLASS_SHARED_ARRAY_BUFFER},
    {"FIRST_TYPED_ARRAY", JS_CLASS_UINT8C_ARRAY},
    {"LAST_TYPED_ARRAY", JS_CLASS_FLOAT64_ARRAY},
    {"DATAVIEW", JS_CLASS_DATAVIEW},
    {"MAP", JS_CLASS_MAP},
    {"SET", JS_CLASS_SET},
    {"WEAKMAP", JS_CLASS_WEAKMAP},
    {"WEAKSET", JS_CLASS_WEAKSET},
    {"MAP_ITERATOR", JS_CLASS_MAP_ITERATOR},
    {"SET_ITERATOR", JS_CLASS_SET_ITERATOR},
    {"PROXY", JS_CLASS_PROXY},
    {"PROMISE", JS_CLASS_PROMISE},
    {"DOM_EXCEPTION", JS_CLASS_DOM_EXCEPTION},
};

static const JSCFunctionListEntry inspect_functions[] = {
    JS_CFUNC_DEF("uncurry", 1, inspect_uncurry),
    JS_CFUNC_DEF("proxyDetails", 2, inspect_proxy_details),
    JS_CFUNC_DEF("prototype", 1, inspect_prototype),
    JS_CFUNC_DEF("get", 2, inspect_get),
    JS_CFUNC_DEF("has", 2, inspect_has),
    JS_CFUNC_DEF("stackOf", 1, inspect_stack_of),
    JS_CFUNC_DEF("hasOwn", 2, inspect_has_own),
    JS_CFUNC_DEF("isEnumerable", 2, inspect_is_enumerable),
    JS_CFUNC_DEF("descriptor", 2, inspect_descriptor),
    JS_CFUNC_DEF("instanceOf", 2, inspect_instance_of),
    JS_CFUNC_DEF("keys", 3, inspect_keys),
    JS_CFUNC_DEF("nonIndexKeys", 2, inspect_non_index_keys),
    JS_CFUNC_DEF("classOf", 1, inspect_class_of),
    JS_CFUNC_DEF("className", 1, inspect_class_name),
    JS_CFUNC_DEF("promiseDetails", 1, inspect_promise_details),
    JS_CFUNC_DEF("boxed", 1, inspect_boxed),
    JS_CFUNC_DEF("entries", 2, inspect_entries),
    JS_CFUNC_DEF("regexpText", 1, inspect_regexp_text),
    JS_CFUNC_DEF("decode", 4, text_decode),
    JS_CFUNC_DEF("encode", 1, text_encode),
};

JSValue inspect_intrinsics(JSContext *ctx)
{
    JSValue out = JS_NewObjectProto(ctx, JS_NULL);
    JSValue classes = JS_NewObjectProto(ctx, JS_NULL);
    size_t i;

    if (JS_IsException(out) || JS_IsException(classes))
        goto fail;
    if (JS_SetPropertyFunctionList(ctx, out, inspect_functions, countof(inspect_functions)) < 0)
        goto fail;
    for (i = 0; i < countof(inspect_classes); i++)
        if (inspect_define(ctx, classes, inspect_classes[i].name,
                           js_int32(inspect_classes[i].class_id)) < 0)
            goto fail;
    if (inspect_define(ctx, out, "classes", classes) < 0) {
        classes = JS_UNDEFINED;
        goto fail;
    }
    return out;
fail:
    JS_FreeValue(ctx, out);
    JS_FreeValue(ctx, classes);
    return JS_EXCEPTION;
}
