#include "datum.h"

#include <math.h>

#include "decimal.h"
#include "memory.h"
#include "value.h"

/* The containers that are being read, innermost first: a reference to one of them is a circle. */
typedef struct Open {
    const struct Open *up;
    const uint8_t *start;
} Open;

typedef struct Builder {
    Arena *arena;
    tn_value whole;
    Buf stack; /* of DatumMember: children whose container is not complete */
    ValueIndex index;
    bool indexed;
    DatumLimits left;
    tn_status status;
    const char *problem;
} Builder;

static bool stop(Builder *builder, tn_status status, const char *problem)
{
    if (builder->status == TN_OK) {
        builder->status = status;
        builder->problem = problem;
    }
    return false;
}

/* ---- order ---- */

/* Merge sort, bottom up: no recursion, no bad case, equal ones keep their order. */
static void sort_indices(uint32_t *items, uint32_t *space, uint32_t count,
                         int (*compare)(void *context, uint32_t a, uint32_t b), void *context)
{
    for (uint32_t width = 1; width<count; width = width> count / 2 ? count : width * 2) {
        for (uint32_t low = 0; low < count; low += 2 * width) {
            uint32_t middle = count - low > width ? low + width : count;
            uint32_t high = count - middle > width ? middle + width : count;
            uint32_t a = low, b = middle;
            for (uint32_t to = low; to < high; to++) {
                bool left = b >= high || (a < middle && compare(context, items[a], items[b]) <= 0);
                space[to] = left ? items[a++] : items[b++];
            }
            if (high == count)
                break;
        }
        memcpy(items, space, count * sizeof *items);
    }
}

static int compare_bytes(const char *a, uint32_t a_length, const char *b, uint32_t b_length)
{
    uint32_t shorter = a_length < b_length ? a_length : b_length;
    int order = shorter ? memcmp(a, b, shorter) : 0;
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static int by_name(void *context, uint32_t a, uint32_t b)
{
    const DatumMember *members = context;
    return compare_bytes(members[a].name, members[a].length, members[b].name, members[b].length);
}

static bool sort_members(Arena *arena, Datum *object)
{
    uint32_t count = object->count;
    DatumMember *members = object->members;
    bool sorted = true;

    for (uint32_t i = 0; i < count; i++) {
        members[i].sorted = i;
        sorted = sorted && (i == 0 || by_name(members, i - 1, i) <= 0);
    }
    if (sorted)
        return true;
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, (size_t)count * 2);
    if (!order)
        return false;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_indices(order, order + count, count, by_name, members);
    for (uint32_t i = 0; i < count; i++)
        members[i].sorted = order[i];
    return true;
}

/* ---- building ---- */

static bool build(Builder *builder, const uint8_t **at, const Open *open, unsigned depth,
                  Datum *out);

/* The children from `base` on become the container's own. */
static bool close_container(Builder *builder, size_t base, Datum *out)
{
    const DatumMember *children = NULL;
    size_t count = (builder->stack.length - base) / sizeof *children;

    if (count > 0)
        children = (const DatumMember *)(const void *)(builder->stack.data + base);
    out->count = (uint32_t)count;
    if (out->kind == DATUM_ARRAY) {
        out->items = ARENA_ARRAY(builder->arena, Datum, count);
        for (size_t i = 0; out->items && i < count; i++)
            out->items[i] = children[i].value;
    } else {
        out->members = ARENA_ARRAY(builder->arena, DatumMember, count);
        if (out->members && count > 0)
            memcpy(out->members, children, count * sizeof *children);
    }
    buf_truncate(&builder->stack, base);
    if (arena_status(builder->arena) != TN_OK ||
        (out->kind == DATUM_OBJECT && !sort_members(builder->arena, out)))
        return stop(builder, arena_status(builder->arena), "more than fits the memory for it");
    return true;
}

static bool build_container(Builder *builder, const Item *item, const uint8_t **at,
                            const Open *open, unsigned depth, Datum *out)
{
    CborReader in = item->in;
    size_t base = builder->stack.length;
    bool keyed = item->type == TN_TYPE_OBJECT;

    if (depth >= builder->left.depth)
        return stop(builder, TN_ERR_LIMIT, "nested too deep");
    out->kind = keyed ? DATUM_OBJECT : DATUM_ARRAY;
    for (uint64_t left = item->head.argument; item->head.indefinite ? !cbor_break(&in) : left > 0;
         left--) {
        DatumMember child = {0};
        if (keyed) {
            Item key;
            size_t length;
            if (!item_read(in.at, builder->whole.end, &key) ||
                !(child.name = item_text(&key, &length)))
                return stop(builder, TN_ERR_ARGUMENT, "not a value");
            child.length = (uint32_t)length;
            if (length > UINT32_MAX || !cbor_skip(&in, 1))
                return stop(builder, TN_ERR_LIMIT, "a name that is too long");
        }
        const uint8_t *next = in.at;
        if (!build(builder, &next, open, depth + 1, &child.value))
            return false;
        in.at = next;
        if (keyed && child.value.kind == DATUM_OTHER && child.value.word[0] == 'u')
            continue; /* undefined: JSON has no such member */
        buf_append(&builder->stack, &child, sizeof child);
        if (builder->stack.failed)
            return stop(builder, buf_status(&builder->stack), "more than fits the memory for it");
    }
    *at = in.at;
    return close_container(builder, base, out);
}

/* Another occurrence of a shared object: it is read again, unless we are inside it. */
static bool build_shared(Builder *builder, uint64_t reference, const Open *open, unsigned depth,
                         Datum *out)
{
    const uint8_t *document = builder->whole.document;

    if (!builder->indexed) {
        tn_status status = value_index_init(&builder->index, builder->arena->allocator, document,
                                            (size_t)(builder->whole.end - document));
        if (status != TN_OK)
            return stop(builder, status, "not a value");
        builder->indexed = true;
    }
    const uint8_t *target = value_index_shared(&builder->index, document, reference);
    if (!target)
        return stop(builder, TN_ERR_ARGUMENT, "not a value");
    for (const Open *at = open; at; at = at->up) {
        if (at->start == target)
            return stop(builder, TN_ERR_ARGUMENT, "a value that contains itself");
    }
    return build(builder, &target, open, depth, out);
}

/* A big integer's magnitude: in place if it came as bytes, else the eight of a CBOR head. */
static const BigInteger *build_integer(Arena *arena, const Item *item)
{
    BigInteger *integer = ARENA_NEW(arena, BigInteger);
    uint8_t *bytes;

    if (!integer || item_bigint(item, &integer->bytes, &integer->length, &integer->negative))
        return integer;
    bytes = arena_push(arena, 8);
    for (unsigned i = 0; bytes && i < 8; i++)
        bytes[i] = (uint8_t)(item->head.argument >> (56 - 8 * i));
    *integer = (BigInteger){bytes, bytes ? 8 : 0, item->head.major == CBOR_NEGATIVE};
    return integer;
}

static bool build_number(Builder *builder, const Item *item, Datum *out)
{
    double number = item_number(item);

    if (!isfinite(number) && item->type != TN_TYPE_BIGINT) {
        out->kind = DATUM_OTHER;
        out->word = isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
        return true;
    }
    out->kind = DATUM_NUMBER;
    out->number = number;
    out->big = item->type == TN_TYPE_BIGINT ||
               (item->head.major != CBOR_SIMPLE && item->head.argument > 1ull << 53);
    if (!out->big)
        return true;
    out->integer = build_integer(builder->arena, item);
    return out->integer || stop(builder, arena_status(builder->arena), "out of memory");
}

static const char *word_of(tn_type type)
{
    static const char *const words[] = {[TN_TYPE_UNDEFINED] = "undefined",
                                        [TN_TYPE_BYTES] = "bytes",
                                        [TN_TYPE_MAP] = "a Map",
                                        [TN_TYPE_SET] = "a Set",
                                        [TN_TYPE_DATE] = "a Date",
                                        [TN_TYPE_REGEXP] = "a RegExp",
                                        [TN_TYPE_REFERENCE] = "a host object"};
    const char *word = (size_t)type < COUNT_OF(words) ? words[type] : NULL;

    return word ? word : "an Error";
}

static bool build(Builder *builder, const uint8_t **at, const Open *open, unsigned depth,
                  Datum *out)
{
    const uint8_t *start = *at;
    CborReader skip = {start, builder->whole.end};
    size_t length;
    Item item;

    *out = (Datum){0};
    if (builder->left.values == 0)
        return stop(builder, TN_ERR_LIMIT, "more values than the limit");
    builder->left.values--;
    if (!item_read(start, builder->whole.end, &item))
        return stop(builder, TN_ERR_ARGUMENT, "not a value");
    Open here = {open, start};
    if (item.type == TN_TYPE_ARRAY || item.type == TN_TYPE_OBJECT)
        return build_container(builder, &item, at, &here, depth, out);
    if (!cbor_skip(&skip, CBOR_DEPTH_MAX))
        return stop(builder, TN_ERR_ARGUMENT, "not a value");
    *at = skip.at;
    switch ((int)item.type) {
    case TN_TYPE_NONE:
        return build_shared(builder, item.ref, open, depth, out);
    case TN_TYPE_NULL:
        break;
    case TN_TYPE_BOOL:
        out->kind = DATUM_BOOL;
        out->truth = item.head.argument == CBOR_TRUE;
        break;
    case TN_TYPE_NUMBER:
    case TN_TYPE_BIGINT:
        return build_number(builder, &item, out);
    case TN_TYPE_TEXT:
        out->kind = DATUM_TEXT;
        out->text = item_text(&item, &length);
        out->count = (uint32_t)length;
        if (length > UINT32_MAX)
            return stop(builder, TN_ERR_LIMIT, "a text that is too long");
        break;
    default:
        out->kind = DATUM_OTHER;
        out->word = word_of(item.type);
    }
    return true;
}

tn_status datum_read(Arena *arena, tn_value value, DatumLimits limits, Datum **out_datum,
                     const char **out_problem)
{
    Builder builder = {.arena = arena, .whole = value, .left = limits};
    Datum *datum = ARENA_NEW(arena, Datum);
    const uint8_t *at = value.start;

    *out_problem = "not a value";
    if (!at)
        return TN_ERR_ARGUMENT;
    if (!datum) {
        *out_problem = "out of memory";
        return arena_status(arena);
    }
    buf_init(&builder.stack, arena->allocator, SIZE_MAX);
    (void)build(&builder, &at, NULL, 0, datum);
    buf_release(&builder.stack);
    if (builder.indexed)
        value_index_release(&builder.index);
    *out_problem = builder.problem;
    if (builder.status == TN_OK)
        *out_datum = datum;
    return builder.status;
}

/* ---- looking ---- */

const DatumMember *datum_member(const Datum *object, const char *name, size_t length)
{
    if (object->kind != DATUM_OBJECT || length > UINT32_MAX)
        return NULL;
    const DatumMember *members = object->members;
    uint32_t low = 0, high = object->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const DatumMember *member = &members[members[middle].sorted];
        int order = compare_bytes(name, (uint32_t)length, member->name, member->length);
        if (order == 0)
            return member;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

Datum *datum_get(const Datum *object, const char *name)
{
    const DatumMember *member = datum_member(object, name, strlen(name));
    return member ? (Datum *)(uintptr_t)&member->value : NULL;
}

const Datum *datum_name_set(Arena *arena, const Datum *array)
{
    Datum *set = ARENA_NEW(arena, Datum);

    if (!set || !(set->members = ARENA_ARRAY(arena, DatumMember, array->count)))
        return NULL;
    set->kind = DATUM_OBJECT;
    for (uint32_t i = 0; i < array->count; i++) {
        const Datum *text = &array->items[i];
        if (text->kind == DATUM_TEXT)
            set->members[set->count++] = (DatumMember){.name = text->text, .length = text->count};
    }
    DatumMember *members = ARENA_ARRAY(arena, DatumMember, set->count);
    if (!members || !sort_members(arena, set))
        return NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        members[kept] = set->members[set->members[i].sorted];
        members[kept].sorted = kept;
        kept += kept == 0 || by_name(members, kept - 1, kept) != 0;
    }
    set->members = members;
    set->count = kept;
    return set;
}

bool datum_is(const Datum *datum, const char *text)
{
    size_t length = strlen(text);
    return datum->kind == DATUM_TEXT && datum->count == length &&
           memcmp(datum->text, text, length) == 0;
}

/* Members by name, one after the other. */
static int compare_objects(const Datum *a, const Datum *b, uint64_t *steps)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const DatumMember *left = &a->members[a->members[i].sorted];
        const DatumMember *right = &b->members[b->members[i].sorted];
        int order = compare_bytes(left->name, left->length, right->name, right->length);
        if (order == 0)
            order = datum_compare(&left->value, &right->value, steps);
        if (order != 0 || *steps == 0)
            return order;
    }
    return 0;
}

int datum_compare(const Datum *a, const Datum *b, uint64_t *steps)
{
    if (*steps > 0)
        --*steps;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    switch ((DatumKind)a->kind) {
    case DATUM_BOOL:
        return a->truth - b->truth;
    case DATUM_NUMBER:
        return number_compare(a, b);
    case DATUM_TEXT:
        return compare_bytes(a->text, a->count, b->text, b->count);
    case DATUM_ARRAY:
    case DATUM_OBJECT:
        break;
    case DATUM_NULL:
    case DATUM_OTHER:
        return 0;
    }
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    if (a->kind == DATUM_OBJECT)
        return compare_objects(a, b, steps);
    for (uint32_t i = 0; i<a->count && * steps> 0; i++) {
        int order = datum_compare(&a->items[i], &b->items[i], steps);
        if (order != 0)
            return order;
    }
    return 0;
}

typedef struct Elements {
    const Datum *array;
    uint64_t *steps;
} Elements;

static int by_value(void *context, uint32_t a, uint32_t b)
{
    Elements *elements = context;
    return datum_compare(&elements->array->items[a], &elements->array->items[b], elements->steps);
}

uint32_t datum_repeated(Arena *arena, const Datum *array, uint64_t *steps)
{
    Elements elements = {array, steps};
    uint32_t count = array->count, found = UINT32_MAX;

    if (count < 2)
        return UINT32_MAX;
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, (size_t)count * 2);
    if (!order)
        return UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_indices(order, order + count, count, by_value, &elements);
    for (uint32_t i = 1; i < count; i++) {
        if (order[i] < found && by_value(&elements, order[i - 1], order[i]) == 0)
            found = order[i];
    }
    return found;
}
