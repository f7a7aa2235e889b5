/* A value held against a shape, in the bytes it crosses in: one walk, no copy, no tree. */
#include <string.h>

#include "make.h"
#include "memory.h"

/* A level takes at most 800 bytes of stack. */
enum { DEPTH_MAX = 200, STEPS_MIN = 200000, STEPS_PER_BYTE = 16 };

/* ---- what is met more than once ---- */

/* What was found of a shared object and a shape; while it is looked at it is taken to fit. */
typedef struct Verdict {
    const Shape *shape;
    size_t object, before; /* of the same object, + 1 */
} Verdict;

struct Shared {
    ValueIndex index;
    size_t *last; /* verdicts by object, + 1 */
    Verdict *verdicts;
    size_t count, capacity;
};

static struct Shared *shared_of(Hold *hold)
{
    struct Shared *shared = hold->shared;

    if (shared)
        return shared;
    shared = ARENA_NEW(hold->scratch, struct Shared);
    if (shared && value_index_init(&shared->index, hold->scratch->allocator, hold->document,
                                   (size_t)(hold->end - hold->document)) == TN_OK) {
        hold->shared = shared;
        shared->last = ARENA_ARRAY(hold->scratch, size_t, shared->index.shared_count + 1);
    }
    if (!hold->shared || !shared->last) {
        hold->stopped = "there is no memory for it";
        return NULL;
    }
    return shared;
}

static void shared_release(Hold *hold)
{
    if (hold->shared)
        value_index_release(&hold->shared->index);
    hold->shared = NULL;
}

static bool is_known(Hold *hold, const struct Shared *shared, size_t object, const Shape *shape)
{
    for (size_t at = shared->last[object]; at; at = shared->verdicts[at - 1].before) {
        hold->steps--;
        if (shared->verdicts[at - 1].shape == shape)
            return true;
    }
    return false;
}

static bool note(Hold *hold, struct Shared *shared, size_t object, const Shape *shape)
{
    if (shared->count == shared->capacity) {
        size_t capacity = shared->capacity ? shared->capacity * 2 : 64;
        Verdict *grown = arena_grow(hold->scratch, shared->verdicts, shared->count * sizeof *grown,
                                    capacity * sizeof *grown);
        if (!grown) {
            hold->stopped = "there is no memory for it";
            return false;
        }
        shared->verdicts = grown;
        shared->capacity = capacity;
    }
    shared->verdicts[shared->count] = (Verdict){shape, object, shared->last[object]};
    shared->last[object] = ++shared->count;
    return true;
}

/* What was taken to fit because of something that does not is not known any more. */
static void forget(struct Shared *shared, size_t mark)
{
    while (shared->count > mark) {
        const Verdict *verdict = &shared->verdicts[--shared->count];
        shared->last[verdict->object] = verdict->before;
    }
}

static bool hold_item(Hold *hold, const Shape *shape, const Item *item, CborReader *in,
                      const Where *where);

static bool hold_shared(Hold *hold, const Shape *shape, const Item *item, CborReader *in,
                        const Where *where)
{
    struct Shared *shared = shared_of(hold);
    bool again = item->type == TN_TYPE_NONE, fits;
    const uint8_t *at = in->at;
    size_t object, mark;
    CborReader inside = *in;
    Item target;

    if (!shared)
        return true;
    object = again ? (size_t)item->ref : value_index_number(&shared->index, hold->document, in->at);
    if (again)
        at = value_index_shared(&shared->index, hold->document, item->ref);
    if (!at || object >= shared->index.shared_count || !item_read(at, hold->end, &target)) {
        hold->stopped = "it is malformed";
        return true;
    }
    if (again)
        in->at = item->in.at;
    if (again && is_known(hold, shared, object, shape))
        return true;
    mark = shared->count;
    if (!note(hold, shared, object, shape))
        return true;
    inside.at = at;
    fits = hold_item(hold, shape, &target, &inside, where);
    if (!fits)
        forget(shared, mark);
    else if (!again)
        *in = inside;
    return fits;
}

/* ---- objects ---- */

/* What Arrays, Dates, Maps and texts have as well, for TypeScript. */
static bool is_common(const ShapeProperty *property)
{
    static const char *const names[] = {"length", "size",   "byteLength", "byteOffset",
                                        "buffer", "source", "flags",      "lastIndex"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], property->name) == 0)
            return true;
    }
    return false;
}

/* A value of another kind where an object is declared: `{}` is anything, and so is what asks only
 * for members that it has. */
static bool is_like(const ObjectShape *object, tn_type type)
{
    bool common = object->count == 0 && !object->index;

    if (type == TN_TYPE_ERROR)
        return true;
    if (type == TN_TYPE_NULL || type == TN_TYPE_UNDEFINED)
        return false;
    if (object->index)
        return object->count == 0 && type >= TN_TYPE_BYTES &&
               shape_follow(object->index)->kind == SHAPE_ANY;
    for (uint32_t i = 0; i < object->count; i++) {
        const ShapeProperty *property = &object->properties[i];
        /* a method, which it may have */
        if (is_common(property) || property->shape == &shape_any)
            common = true;
        else if (!property->optional)
            return false;
    }
    return common;
}

static const ShapeProperty *property_of(const ObjectShape *object, const char *name, size_t length,
                                        uint32_t *at)
{
    /* mostly they come in the order in which they are declared */
    for (uint32_t i = 0; i < object->count; i++, (*at)++) {
        const ShapeProperty *property;
        if (*at >= object->count)
            *at = 0;
        property = &object->properties[*at];
        if (property->length == length && memcmp(property->name, name, length) == 0)
            return property;
    }
    return NULL;
}

static bool is_flat(const Shape *shape)
{
    shape = shape_follow(shape);
    return shape->kind >= SHAPE_KINDS && shape->kind <= SHAPE_BOOL;
}

static bool skip(Hold *hold, CborReader *in)
{
    const uint8_t *before = in->at;

    if (!cbor_skip(in, CBOR_DEPTH_MAX))
        hold->stopped = "it is malformed";
    hold->steps -= (in->at - before) / 32;
    return true;
}

static bool hold_member(Hold *hold, const ObjectShape *object, const ShapeProperty *property,
                        CborReader *in, const Where *where, bool flat_only)
{
    const Shape *shape = property ? property->shape : object->index;

    if (!shape || (flat_only && !is_flat(shape)))
        return skip(hold, in);
    /* `undefined` is as good as nothing */
    if (property && property->optional && in->at < in->end && *in->at == 0xf7)
        return skip(hold, in);
    return hold_shape(hold, shape, in, where);
}

/* Members that are not there, and have to be. */
static bool hold_missing(Hold *hold, const ObjectShape *object, const uint64_t *seen,
                         const Where *where)
{
    static const uint8_t undefined = 0xf7;

    for (uint32_t i = 0; i < object->count; i++) {
        const ShapeProperty *property = &object->properties[i];
        const Where inner = {where, property->name, property->length};
        CborReader none = {&undefined, &undefined + 1};
        if (!(seen[i / 64] >> i % 64 & 1) && !property->optional &&
            !hold_shape(hold, property->shape, &none, &inner))
            return false;
    }
    return true;
}

static bool hold_members(Hold *hold, const ObjectShape *object, const Item *item, CborReader *in,
                         const Where *where, bool flat_only)
{
    uint64_t seen[PROPERTIES_MAX / 64] = {0};
    uint64_t left = item->head.indefinite ? UINT64_MAX : item->head.argument;
    uint32_t at = 0;

    in->at = item->in.at;
    for (; left > 0 && !hold->stopped; left--) {
        Where inner = {.up = where};
        Item key;
        if (item->head.indefinite && cbor_break(in))
            break;
        if (!item_read(in->at, hold->end, &key) || !(inner.name = item_text(&key, &inner.length))) {
            hold->stopped = "it is malformed";
            return true;
        }
        in->at = (const uint8_t *)inner.name + inner.length;
        const ShapeProperty *property = property_of(object, inner.name, inner.length, &at);
        if (property) {
            uint32_t which = (uint32_t)(property - object->properties);
            seen[which / 64] |= 1ull << which % 64;
        }
        if (!hold_member(hold, object, property, in, &inner, flat_only))
            return false;
    }
    return flat_only || hold_missing(hold, object, seen, where);
}

static bool hold_object(Hold *hold, const Shape *shape, const Item *item, CborReader *in,
                        const Where *where)
{
    bool choosing = hold->choosing;
    CborReader first = *in;

    if (item->type != TN_TYPE_OBJECT)
        return is_like(shape->object, item->type) ? skip(hold, in)
                                                  : hold_fail(hold, shape, in, where);
    hold->choosing = false;
    if (choosing && !hold_members(hold, shape->object, item, &first, where, true))
        return false;
    return hold_members(hold, shape->object, item, in, where, false);
}

/* ---- what has elements ---- */

static bool hold_elements(Hold *hold, const Shape *shape, const Item *item, CborReader *in,
                          const Where *where)
{
    uint64_t left = item->head.indefinite ? UINT64_MAX : item->head.argument;
    const TupleShape *tuple = shape->kind == SHAPE_TUPLE ? shape->tuple : NULL;
    const CborReader start = *in;
    Where inner = {.up = where};

    in->at = item->in.at;
    for (; left > 0 && !hold->stopped; left--, inner.length++) {
        const Shape *element = shape->target;
        if (item->head.indefinite && cbor_break(in))
            break;
        if (tuple)
            element = inner.length < tuple->count ? tuple->items[inner.length] : tuple->rest;
        if (!element)
            return hold_fail(hold, shape, &start, where);
        /* an optional element may be undefined */
        if (tuple && inner.length >= tuple->required && in->at < in->end && *in->at == 0xf7)
            (void)skip(hold, in);
        else if (!hold_shape(hold, element, in, &inner))
            return false;
    }
    return !tuple || hold->stopped || inner.length >= tuple->required ||
           hold_fail(hold, shape, &start, where);
}

static bool hold_pairs(Hold *hold, const Shape *shape, const Item *item, CborReader *in,
                       const Where *where)
{
    uint64_t left = item->head.indefinite ? UINT64_MAX : item->head.argument;
    Where inner = {.up = where};

    in->at = item->in.at;
    for (; left > 0 && !hold->stopped; left--, inner.length++) {
        if (item->head.indefinite && cbor_break(in))
            break;
        if (!hold_shape(hold, shape->pair[0], in, &inner) ||
            !hold_shape(hold, shape->pair[1], in, &inner))
            return false;
    }
    return true;
}

/* ---- alternatives ---- */

static bool hold_list(Hold *hold, const Shape *shape, CborReader *in, const Where *where)
{
    const ShapeList *list = shape->list;
    CborReader start = *in;
    Fault *fault = hold->fault;

    if (shape->kind == SHAPE_UNION)
        hold->fault = NULL;
    for (uint32_t i = 0; i < list->count && !hold->stopped; i++) {
        *in = start;
        hold->choosing = shape->kind == SHAPE_UNION;
        bool fits = hold_shape(hold, list->items[i], in, where);
        hold->choosing = false;
        if (fits == (shape->kind == SHAPE_UNION)) {
            hold->fault = fault;
            return fits;
        }
    }
    hold->fault = fault;
    *in = shape->kind == SHAPE_UNION ? start : *in;
    return hold->stopped || shape->kind == SHAPE_ALL ||
           hold_explain_union(hold, shape, &start, where);
}

/* ---- any value ---- */

static bool is_reference(const Hold *hold, const Shape *shape, const uint8_t *at)
{
    tn_value value = {hold->document, at, hold->end}, interface;
    uint64_t id, generation;
    size_t length = 0;
    const char *name = value_reference_parts(value, &interface, &id, &generation)
                           ? tn_value_text(interface, &length)
                           : NULL;

    return name && length == shape->length && memcmp(name, shape->text, length) == 0;
}

/* A value that has nothing inside to look at. */
static bool is_exactly(const Hold *hold, const Shape *shape, const Item *item, const uint8_t *at)
{
    size_t length;
    const char *text;

    switch (shape->kind) {
    case SHAPE_KINDS:
        return shape->kinds >> item->type & 1;
    case SHAPE_TEXT:
        text = item->type == TN_TYPE_TEXT ? item_text(item, &length) : NULL;
        return text && length == shape->length && memcmp(text, shape->text, length) == 0;
    case SHAPE_NUMBER:
        return item->type == TN_TYPE_NUMBER && item_number(item) == shape->number;
    case SHAPE_BOOL:
        return item->type == TN_TYPE_BOOL && (item->head.argument == CBOR_TRUE) == shape->truth;
    case SHAPE_BYTES:
        return item->type == TN_TYPE_BYTES && item->tag == shape->tag;
    default:
        return item->type == TN_TYPE_REFERENCE && is_reference(hold, shape, at);
    }
}

static bool hold_item(Hold *hold, const Shape *shape, const Item *item, CborReader *in,
                      const Where *where)
{
    switch (shape->kind) {
    case SHAPE_OBJECT:
        return hold_object(hold, shape, item, in, where);
    case SHAPE_ARRAY:
    case SHAPE_TUPLE:
        if (item->type == TN_TYPE_ARRAY)
            return hold_elements(hold, shape, item, in, where);
        break;
    case SHAPE_SET:
        if (item->type == TN_TYPE_SET)
            return hold_elements(hold, shape, item, in, where);
        break;
    case SHAPE_MAP:
        if (item->type == TN_TYPE_MAP)
            return hold_pairs(hold, shape, item, in, where);
        break;
    default:
        if (is_exactly(hold, shape, item, in->at))
            return skip(hold, in);
        break;
    }
    return hold_fail(hold, shape, in, where);
}

bool hold_shape(Hold *hold, const Shape *shape, CborReader *in, const Where *where)
{
    bool fits = true;
    Item item;

    shape = shape_follow(shape);
    if (hold->stopped)
        return true;
    if (--hold->steps < 0)
        hold->stopped = "that takes too much work";
    else if (hold->depth == DEPTH_MAX)
        hold->stopped = "it is nested more than 200 levels deep";
    else if (shape->kind == SHAPE_ANY)
        (void)skip(hold, in);
    else if (!item_read(in->at, in->end, &item))
        hold->stopped = "it is malformed";
    if (hold->stopped || shape->kind == SHAPE_ANY)
        return true;
    hold->depth++;
    if (shape->kind == SHAPE_UNION || shape->kind == SHAPE_ALL)
        fits = hold_list(hold, shape, in, where);
    else if (item.shared || item.type == TN_TYPE_NONE)
        fits = hold_shared(hold, shape, &item, in, where);
    else
        fits = hold_item(hold, shape, &item, in, where);
    hold->depth--;
    return fits;
}

/* ---- a call ---- */

typedef struct Given {
    const tn_value *arguments;
    size_t count;
    Arena *scratch;
    size_t fitting; /* before the first that does not */
    const char *stopped;
} Given;

static bool hold_argument(Given *given, size_t index, const Shape *shape, const char *name,
                          Fault *fault)
{
    static const uint8_t undefined = 0xf7;
    tn_value value = index < given->count ? given->arguments[index]
                                          : (tn_value){&undefined, &undefined, &undefined + 1};
    Hold one = {.document = value.document,
                .end = value.end,
                .steps = STEPS_MIN + STEPS_PER_BYTE * (value.end - value.start),
                .scratch = given->scratch,
                .fault = fault};
    const Where where = {.name = name, .length = name[0] ? strlen(name) : index};
    CborReader in = {value.start, value.end};
    bool fits;

    fits = hold_shape(&one, shape, &in, &where);
    shared_release(&one);
    given->stopped = one.stopped;
    return fits && !one.stopped;
}

static bool hold_signature(Given *given, const Signature *signature, Fault *fault)
{
    for (size_t i = 0; i < signature->count || (signature->rest && i < given->count); i++) {
        ParameterShape parameter = {"", signature->rest};
        if (i < signature->count)
            parameter = signature->parameters[i];
        if (!hold_argument(given, i, parameter.shape, parameter.name, fault)) {
            given->fitting = i;
            return false;
        }
    }
    return true;
}

bool signature_fits(const void *context, const tn_value *arguments, size_t *count, Arena *scratch,
                    Misfit *out_misfit)
{
    Given given = {arguments, *count, scratch, 0, NULL};
    const Signature *nearest = context;
    Fault deepest = {0};
    size_t best = 0;

    for (const Signature *one = context; one; one = one->next) {
        if (hold_signature(&given, one, NULL)) {
            /* as a function in JavaScript sees no more than it has parameters */
            if (!one->rest && *count > one->count)
                *count = one->count;
            return true;
        }
        if (given.stopped)
            break;
    }
    for (const Signature *one = context; one && !given.stopped; one = one->next) {
        Fault fault = {0};
        (void)hold_signature(&given, one, &fault);
        if (given.fitting * DEPTH_MAX + fault.depth > best) {
            best = given.fitting * DEPTH_MAX + fault.depth;
            deepest = fault;
            nearest = one;
        }
    }
    *out_misfit = (Misfit){.path = deepest.path,
                           .expected = deepest.expected,
                           .got = deepest.got,
                           .takes = nearest ? nearest->takes : NULL,
                           .reason = deepest.path ? NULL : given.stopped};
    return false;
}
