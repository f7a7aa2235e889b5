/*
 * Pass one of writing a value: every object in it is visited once, and three things are learned.
 *
 *   Which objects are met twice: those get tags 28 and 29, so that cycles end and identity stays.
 *   How large the value is as a tree, with a shared part counted each time it is met: a graph of
 *   thirty arrays can be a tree of 2^30 leaves for whoever prints it as JSON.
 *   What does not cross, and where.
 *
 * The work is bounded by the limit on bytes, not by the value: each object costs its bytes before
 * it is walked, a string's length is looked at before its characters, and holes are not walked.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "value_parts.h"

/* ---- the table ---- */

void graph_begin(JSContext *ctx, Graph *graph)
{
    graph->rt = JS_GetRuntime(ctx);
    graph->nodes = graph->first;
    graph->capacity = NODES_INLINE;
    graph->count = graph->shared = 0;
    memset(graph->first, 0, sizeof graph->first);
}

void graph_end(Graph *graph)
{
    if (graph->nodes != graph->first)
        js_free_rt(graph->rt, graph->nodes);
}

static Node *slot_of(Node *nodes, uint32_t capacity, const void *object)
{
    uint64_t mixed = (uint64_t)(uintptr_t)object * 0x9E3779B97F4A7C15u;
    uint32_t at = (uint32_t)(mixed >> 32) & (capacity - 1);

    while (nodes[at].object && nodes[at].object != object)
        at = (at + 1) & (capacity - 1);
    return &nodes[at];
}

Node *graph_find(Graph *graph, const void *object)
{
    Node *node = slot_of(graph->nodes, graph->capacity, object);

    return node->object ? node : NULL;
}

static bool graph_grow(Graph *graph)
{
    uint32_t capacity = graph->capacity * 4;
    Node *nodes = capacity > UINT32_MAX / 8 / sizeof *nodes
                      ? NULL
                      : js_malloc_rt(graph->rt, capacity * sizeof *nodes);

    if (!nodes)
        return false;
    memset(nodes, 0, capacity * sizeof *nodes);
    for (uint32_t i = 0; i < graph->capacity; i++)
        if (graph->nodes[i].object)
            *slot_of(nodes, capacity, graph->nodes[i].object) = graph->nodes[i];
    graph_end(graph);
    graph->nodes = nodes;
    graph->capacity = capacity;
    return true;
}

Node *graph_add(Graph *graph, const void *object)
{
    if (graph->count >= graph->capacity / 2 && !graph_grow(graph))
        return NULL;
    Node *node = slot_of(graph->nodes, graph->capacity, object);
    *node = (Node){.object = object, .index = NOT_WRITTEN};
    graph->count++;
    return node;
}

/* ---- what does not cross ---- */

__attribute__((format(printf, 4, 5))) static ValueStatus
refuse(Writing *w, ValueStatus status, const Step *step, const char *format, ...)
{
    char reason[160];
    va_list arguments;

    va_start(arguments, format);
    int written = vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    size_t length = written < 0 ? 0 : strlen(reason);
    size_t room = w->message_size > length + 1 ? w->message_size - length : 1;
    path_write(w->ctx, w->root, step, w->message, room);
    snprintf(w->message + strlen(w->message), w->message_size - strlen(w->message), "%s", reason);
    return status;
}

static ValueStatus too_large(Writing *w, const Step *step)
{
    char reason[120];
    int written =
        snprintf(reason, sizeof reason,
                 " is larger than the limit of %llu bytes: keep or return only the part you need",
                 (unsigned long long)w->limits->bytes);
    char at[128] = "";

    path_write(w->ctx, w->root, step, at, sizeof at);
    snprintf(w->message, w->message_size, "%s%s%s%s%s", w->root, written < 0 ? "" : reason,
             step ? " (passed at " : "", step ? at : "", step ? ")" : "");
    return VALUE_TOO_LARGE;
}

static ValueStatus too_deep(Writing *w, const Step *step)
{
    return refuse(w, VALUE_TOO_DEEP, step,
                  " is nested deeper than %u levels: flatten it, or return a part of it",
                  w->limits->depth);
}

static ValueStatus no_memory(Writing *w)
{
    snprintf(w->message, w->message_size, "%s did not fit into the memory that is left", w->root);
    return VALUE_NOMEM;
}

static ValueStatus refuse_kind(Writing *w, InsideKind kind, JSValueConst value, const Step *step)
{
    char name[48] = "symbol";

    if (kind != INSIDE_SYMBOL)
        inside_class_name(w->ctx, value, name, sizeof name);
    switch (kind) {
    case INSIDE_FUNCTION:
        return refuse(w, VALUE_REFUSED, step,
                      " is a function: functions do not cross; call it and return its result");
    case INSIDE_SYMBOL:
        return refuse(w, VALUE_REFUSED, step, " is a symbol: symbols do not cross; use a string");
    case INSIDE_PROMISE:
        return refuse(w, VALUE_REFUSED, step, " is a promise: promises do not cross; await it");
    case INSIDE_PROXY:
        return refuse(w, VALUE_REFUSED, step,
                      " is a Proxy: proxies do not cross; copy what you need of it into a plain "
                      "object");
    case INSIDE_GENERATOR:
    case INSIDE_ITERATOR:
        return refuse(w, VALUE_REFUSED, step,
                      " is an iterator (%s): iterators do not cross; spread it into an array: "
                      "[...it]",
                      name);
    case INSIDE_WEAK:
        return refuse(w, VALUE_REFUSED, step,
                      " is a %s: weak references do not cross; use what it refers to", name);
    case INSIDE_SHARED_BUFFER:
        return refuse(w, VALUE_REFUSED, step,
                      " is a SharedArrayBuffer: shared memory does not cross; copy it with "
                      "slice()");
    default:
        return refuse(w, VALUE_REFUSED, step,
                      " is a %s object: it does not cross; return plain data", name);
    }
}

static ValueStatus refuse_slot(Writing *w, InsideSlot slot, const Step *step)
{
    if (slot == INSIDE_ACCESSOR)
        return refuse(w, VALUE_REFUSED, step,
                      " is an accessor: getters are not run to cross; copy its value into a "
                      "plain property");
    return refuse(w, VALUE_REFUSED, step, " has no value yet: its declaration has not run");
}

/* ---- costs ---- */

/* Count bytes that are met for the first time. */
static ValueStatus charge(Writing *w, const Step *step, uint64_t bytes, uint64_t *tree)
{
    *tree += bytes;
    if (bytes > w->limits->bytes || w->bytes > w->limits->bytes - bytes)
        return too_large(w, step);
    w->bytes += bytes;
    return VALUE_OK;
}

static uint64_t int_cost(int64_t integer)
{
    return head_cost(integer < 0 ? ~(uint64_t)integer : (uint64_t)integer);
}

static uint64_t number_cost(double number)
{
    int64_t integer;

    return number_is_integer(number, &integer) ? int_cost(integer) : 9;
}

static ValueStatus charge_text(Writing *w, const Step *step, JSValueConst string, uint64_t *tree)
{
    /* No character of a string that is too long for its length alone. */
    if (inside_text_length(string) > w->limits->bytes)
        return too_large(w, step);
    return charge(w, step, text_cost(text_size(string)), tree);
}

static ValueStatus charge_error_text(Writing *w, const Step *step, const ErrorText *text,
                                     uint64_t *tree)
{
    if (text->is_string)
        return charge_text(w, step, text->string, tree);
    size_t length = strlen(text->shown);
    return charge(w, step, head_cost(length) + length, tree);
}

static ValueStatus charge_bigint(Writing *w, const Step *step, JSValueConst value, uint64_t *tree)
{
    bool minus;
    size_t bytes = bigint_bytes(value, &minus);

    return charge(w, step, 1 + head_cost(bytes) + bytes, tree);
}

/* ---- the kinds of objects ---- */

/* One part of an object, which may have no value to give. */
static ValueStatus measure_part(Writing *w, const InsideProperty *part, const Step *step,
                                uint32_t depth, uint64_t *tree)
{
    uint64_t part_tree = 0;

    if (part->slot == INSIDE_ABSENT)
        return charge(w, step, 1, tree);
    if (part->slot != INSIDE_DATA)
        return refuse_slot(w, part->slot, step);
    ValueStatus status = graph_measure(w, part->value, step, depth, &part_tree);
    *tree = *tree > UINT64_MAX - part_tree ? UINT64_MAX : *tree + part_tree;
    return status;
}

static ValueStatus measure_named(Writing *w, const InsideProperty *part, const Step *up,
                                 uint32_t depth, uint64_t *tree)
{
    Step step = {.up = up, .kind = STEP_KEY, .key = part->key};
    ValueStatus status = charge(w, &step, text_cost(key_size(w->ctx, part->key)), tree);

    return status == VALUE_OK ? measure_part(w, part, &step, depth, tree) : status;
}

static ValueStatus measure_plain(Writing *w, JSValueConst object, const Step *up, uint32_t depth,
                                 uint64_t *tree)
{
    InsideWalk walk;
    InsideProperty part;

    /* A pair is two bytes at least: those that are too many are not even put in order. */
    if (!inside_walk_begin(w->ctx, object, w->limits->bytes / 2, &walk))
        return no_memory(w);
    ValueStatus status = walk.count > w->limits->bytes / 2
                             ? too_large(w, up)
                             : charge(w, up, head_cost(walk.count), tree);
    while (status == VALUE_OK && inside_walk_next(&walk, &part))
        status = measure_named(w, &part, up, depth, tree);
    inside_walk_end(&walk);
    return status;
}

static ValueStatus measure_array(Writing *w, JSValueConst array, const Step *up, uint32_t depth,
                                 uint64_t *tree)
{
    uint32_t length, dense;
    bool sparse;
    InsideProperty part = {.slot = INSIDE_DATA};
    const JSValue *values = inside_array_values(array);

    inside_array(w->ctx, array, &length, &dense, &sparse);
    ValueStatus status =
        length > w->limits->bytes ? too_large(w, up) : charge(w, up, head_cost(length), tree);
    if (status == VALUE_OK && !sparse)
        status = charge(w, up, length - dense, tree);
    for (uint32_t i = 0; status == VALUE_OK && i < (sparse ? length : dense); i++) {
        Step step = {.up = up, .kind = STEP_INDEX, .index = i};
        if (values)
            part.value = values[i];
        else
            inside_array_item(w->ctx, array, i, &part);
        status = measure_part(w, &part, &step, depth, tree);
    }
    return status;
}

static ValueStatus measure_collection(Writing *w, JSValueConst collection, const Step *up,
                                      uint32_t depth, uint64_t *tree)
{
    uint32_t count = inside_collection_count(collection);
    bool is_map = inside_kind(collection) == INSIDE_MAP;
    void *cursor = NULL;
    JSValueConst key, value;
    ValueStatus status = charge(w, up, head_cost(CBOR_TAG_MAP) + head_cost(count), tree);

    for (uint32_t i = 0;
         status == VALUE_OK && inside_collection_next(collection, &cursor, &key, &value); i++) {
        InsideProperty part = {.slot = INSIDE_DATA, .value = key};
        Step step = {.up = up, .kind = is_map ? STEP_MAP_KEY : STEP_SET_ITEM, .index = i};
        status = measure_part(w, &part, &step, depth, tree);
        if (!is_map || status != VALUE_OK)
            continue;
        step.kind = STEP_MAP_VALUE;
        step.map_key = key;
        part.value = value;
        status = measure_part(w, &part, &step, depth, tree);
    }
    return status;
}

static ValueStatus measure_error(Writing *w, JSValueConst error, const Step *up, uint32_t depth,
                                 uint64_t *tree)
{
    ErrorText text;
    ErrorWalk walk;
    InsideProperty part;
    JSValueConst stack;
    bool has_stack = error_stack(w->ctx, error, &stack);
    uint64_t pairs = has_stack ? 2 : 1;

    /* 27([name, {"message": ..., "stack": ...}]) */
    ValueStatus status = charge(w, up, 2 + 1 + 8 + (has_stack ? 6 : 0), tree);
    error_name(w->ctx, error, &text);
    if (status == VALUE_OK)
        status = charge_error_text(w, up, &text, tree);
    error_message(w->ctx, error, &text);
    if (status == VALUE_OK)
        status = charge_error_text(w, up, &text, tree);
    if (status == VALUE_OK && has_stack)
        status = charge_text(w, up, stack, tree);
    if (status != VALUE_OK)
        return status;
    if (!error_walk_begin(w->ctx, error, w->limits->bytes / 2, &walk))
        return no_memory(w);
    if (walk.rest.count > w->limits->bytes / 2)
        status = too_large(w, up);
    for (; status == VALUE_OK && error_walk_next(&walk, &part); pairs++)
        status = measure_named(w, &part, up, depth, tree);
    error_walk_end(&walk);
    return status == VALUE_OK ? charge(w, up, head_cost(pairs), tree) : status;
}

static ValueStatus measure_bytes(Writing *w, JSValueConst object, const Step *up, uint64_t *tree)
{
    InsideBytes bytes;
    InsideKind kind = inside_kind(object);

    inside_bytes(object, &bytes);
    if (bytes.gone)
        return refuse(w, VALUE_REFUSED, up,
                      kind == INSIDE_BUFFER
                          ? " is a detached ArrayBuffer: its bytes were transferred away"
                          : " is a view of a buffer that was detached or shrank: its bytes are "
                            "gone");
    uint64_t tag = kind == INSIDE_TYPED ? typed_tag(bytes.type) : CBOR_TAG_ARRAY_BUFFER;
    return charge(w, up, (tag ? head_cost(tag) : 0) + head_cost(bytes.length) + bytes.length, tree);
}

static ValueStatus measure_date(Writing *w, JSValueConst object, const Step *up, uint64_t *tree)
{
    return charge(w, up, 1 + number_cost(inside_date(object) / 1000), tree);
}

static ValueStatus measure_regexp(Writing *w, JSValueConst object, const Step *up, uint64_t *tree)
{
    char flags[10];
    JSValue source = inside_regexp_source(w->ctx, object);

    if (JS_IsException(source))
        return no_memory(w);
    ValueStatus status =
        charge(w, up, head_cost(CBOR_TAG_REGEXP) + 2 + inside_regexp_flags(object, flags), tree);
    if (status == VALUE_OK)
        status = charge_text(w, up, source, tree);
    JS_FreeValue(w->ctx, source);
    return status;
}

static ValueStatus measure_kind(Writing *w, InsideKind kind, JSValueConst object, const Step *step,
                                uint32_t depth, uint64_t *tree)
{
    switch (kind) {
    case INSIDE_PLAIN:
        return measure_plain(w, object, step, depth, tree);
    case INSIDE_ARRAY:
    case INSIDE_ARGUMENTS:
        return measure_array(w, object, step, depth, tree);
    case INSIDE_MAP:
    case INSIDE_SET:
        return measure_collection(w, object, step, depth, tree);
    case INSIDE_ERROR:
    case INSIDE_DOM_EXCEPTION:
        return measure_error(w, object, step, depth, tree);
    case INSIDE_DATE:
        return measure_date(w, object, step, tree);
    case INSIDE_REGEXP:
        return measure_regexp(w, object, step, tree);
    case INSIDE_BUFFER:
    case INSIDE_TYPED:
    case INSIDE_VIEW:
        return measure_bytes(w, object, step, tree);
    default:
        return refuse_kind(w, kind, object, step);
    }
}

/* Levels of arrays and maps that an object adds to the bytes. */
static uint32_t levels_of(InsideKind kind)
{
    switch (kind) {
    case INSIDE_DATE:
    case INSIDE_BUFFER:
    case INSIDE_TYPED:
    case INSIDE_VIEW:
        return 0;
    case INSIDE_ERROR:
    case INSIDE_DOM_EXCEPTION:
        return 2;
    default:
        return 1;
    }
}

/* An object met again: the bytes have a tag 29 here and, once, a tag 28 where it was first. What
 * it would be as a tree is known if it is done; in a cycle the way back is only a reference. */
static ValueStatus measure_again(Writing *w, Node *node, const Step *step, uint64_t *tree)
{
    uint64_t unused = 0;

    if (!node->shared)
        w->graph.shared++;
    node->shared = true;
    *tree = node->done ? node->tree : 9;
    return charge(w, step, 9, &unused);
}

static ValueStatus measure_object(Writing *w, InsideKind kind, JSValueConst object,
                                  const Step *step, uint32_t depth, uint64_t *tree)
{
    const void *address = JS_VALUE_GET_PTR(object);
    Node *node = graph_find(&w->graph, address);
    uint32_t levels = levels_of(kind);

    if (node)
        return measure_again(w, node, step, tree);
    if (levels > w->limits->depth || depth > w->limits->depth - levels || guest_stack_low())
        return too_deep(w, step);
    if (!graph_add(&w->graph, address))
        return no_memory(w);
    ValueStatus status = measure_kind(w, kind, object, step, depth + levels, tree);
    if (status == VALUE_OK && *tree > w->limits->bytes)
        status = too_large(w, step);
    node = graph_find(&w->graph, address);
    node->tree = *tree;
    node->done = true;
    return status;
}

static ValueStatus measure_reference(Writing *w, const Reference *reference, const Step *step,
                                     uint32_t depth, uint64_t *tree)
{
    uint64_t head = head_cost(CBOR_TAG_REFERENCE) + 1;
    uint64_t name = head_cost(reference->name_length) + reference->name_length;

    if (depth >= w->limits->depth)
        return too_deep(w, step);
    return charge(w, step,
                  head + name + head_cost(reference->id) + head_cost(reference->generation), tree);
}

ValueStatus graph_measure(Writing *w, JSValueConst value, const Step *step, uint32_t depth,
                          uint64_t *out_tree)
{
    InsideKind kind = inside_kind(value);
    Reference reference;

    *out_tree = 0;
    switch (kind) {
    case INSIDE_UNDEFINED:
    case INSIDE_NULL:
    case INSIDE_BOOL:
        return charge(w, step, 1, out_tree);
    case INSIDE_INT:
        return charge(w, step, int_cost(JS_VALUE_GET_INT(value)), out_tree);
    case INSIDE_DOUBLE:
        return charge(w, step, number_cost(JS_VALUE_GET_FLOAT64(value)), out_tree);
    case INSIDE_BIGINT:
        return charge_bigint(w, step, value, out_tree);
    case INSIDE_STRING:
        return charge_text(w, step, value, out_tree);
    case INSIDE_SYMBOL:
        return refuse_kind(w, kind, value, step);
    case INSIDE_BOXED:
        return graph_measure(w, inside_boxed(value), step, depth, out_tree);
    default:
        if (reference_of(w, kind, value, &reference))
            return measure_reference(w, &reference, step, depth, out_tree);
        return measure_object(w, kind, value, step, depth, out_tree);
    }
}
