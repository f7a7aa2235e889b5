/* What does not fit, in words. */
#include <string.h>

#include "make.h"
#include "number.h"
#include "say.h"
#include "utf8.h"

enum { TEXT_SHOWN = 60, WORDS_SHOWN = 300, PATH_SHOWN = 400, NAMES_SHOWN = 8 };

static void say_number(Buf *out, double number)
{
    char text[NUMBER_TEXT_MAX];

    buf_append(out, text, number_text(number == 0 ? 0 : number, text));
}

static const char *finish(Hold *hold, Buf *out)
{
    size_t length = out->length > 0 ? utf8_floor(out->data, out->length, out->length) : 0;
    const char *text = length > 0 ? arena_text(hold->scratch, (const char *)out->data, length) : "";

    buf_release(out);
    return text ? text : "";
}

/* ---- what was expected ---- */

static void say_shape(Buf *out, const Shape *shape, unsigned depth);

static void say_once(Buf *out, const char *words)
{
    if (out->length > 0 && memmem(out->data, out->length, words, strlen(words)))
        return;
    buf_append_string(out, out->length > 0 ? " or " : "");
    buf_append_string(out, words);
}

static void say_kinds(Buf *out, uint32_t kinds)
{
    static const char *const names[] = {
        [TN_TYPE_UNDEFINED] = "undefined", [TN_TYPE_NULL] = "null",
        [TN_TYPE_BOOL] = "boolean",        [TN_TYPE_NUMBER] = "number",
        [TN_TYPE_BIGINT] = "bigint",       [TN_TYPE_TEXT] = "string",
        [TN_TYPE_BYTES] = "bytes",         [TN_TYPE_DATE] = "a Date",
        [TN_TYPE_REGEXP] = "a RegExp",     [TN_TYPE_ERROR] = "an Error"};

    if (kinds == 0)
        say_once(out, "left out");
    if ((kinds & kind_bit(TN_TYPE_OBJECT)) != 0 && (kinds & kind_bit(TN_TYPE_BYTES)) != 0) {
        say_once(out, "an object");
        kinds &= kind_bit(TN_TYPE_BYTES) - 1;
    }
    for (unsigned i = TN_TYPE_TEXT; i <= TN_TYPE_ERROR; i++) {
        if (kinds >> i & 1 && names[i])
            say_once(out, names[i]);
    }
    for (unsigned i = TN_TYPE_BIGINT; i >= TN_TYPE_UNDEFINED; i--) {
        if (kinds >> i & 1)
            say_once(out, names[i]);
    }
}

static void say_tuple(Buf *out, const TupleShape *tuple)
{
    buf_append_string(out, out->length > 0 ? " or an array of " : "an array of ");
    buf_append_uint(out, tuple->required);
    if (tuple->rest) {
        buf_append_string(out, " or more");
    } else if (tuple->count > tuple->required) {
        buf_append_string(out, " to ");
        buf_append_uint(out, tuple->count);
    }
}

static void say_plain(Buf *out, const Shape *shape)
{
    static const char *const kinds[] = {[SHAPE_OBJECT] = "an object",
                                        [SHAPE_ARRAY] = "an array",
                                        [SHAPE_MAP] = "a Map",
                                        [SHAPE_SET] = "a Set"};

    if (shape->kind == SHAPE_BYTES || shape->kind == SHAPE_REFERENCE) {
        buf_append_string(out, out->length > 0 ? " or a " : "a ");
        buf_append_string(out, shape->kind == SHAPE_BYTES ? typed_array_of_tag(shape->tag)->name
                                                          : shape->text);
    } else if (shape->kind == SHAPE_TEXT) {
        buf_append_string(out, out->length > 0 ? " or " : "");
        say_text(out, shape->text, shape->length, TEXT_SHOWN);
    } else if (shape->kind == SHAPE_NUMBER) {
        buf_append_string(out, out->length > 0 ? " or " : "");
        say_number(out, shape->number);
    } else if (shape->kind == SHAPE_BOOL) {
        say_once(out, shape->truth ? "true" : "false");
    } else if (shape->kind < sizeof kinds / sizeof *kinds && kinds[shape->kind]) {
        say_once(out, kinds[shape->kind]);
    }
}

static void say_shape(Buf *out, const Shape *shape, unsigned depth)
{
    uint32_t first;

    shape = shape_follow(shape);
    switch (shape->kind) {
    case SHAPE_KINDS:
        say_kinds(out, shape->kinds);
        break;
    case SHAPE_TUPLE:
        say_tuple(out, shape->tuple);
        break;
    case SHAPE_ALL:
        if (depth < 4)
            say_shape(out, shape->list->items[0], depth + 1);
        break;
    case SHAPE_UNION: /* what is of a kind comes first in it, and is said last */
        first = shape->list->count > 0 && shape->list->items[0]->kind == SHAPE_KINDS;
        for (uint32_t i = 0; i < shape->list->count && depth < 4; i++) {
            if (out->length > WORDS_SHOWN) {
                buf_append_string(out, " or ...");
                break;
            }
            say_shape(out, shape->list->items[(i + first) % shape->list->count], depth + 1);
        }
        break;
    default:
        say_plain(out, shape);
        break;
    }
}

/* ---- what is there ---- */

static void say_names(Buf *out, tn_value value)
{
    tn_cursor cursor = {0};
    size_t length, count = 0;

    buf_append_string(out, tn_value_count(value) > 0 ? "an object with " : "an empty object");
    while (tn_value_next(value, &cursor)) {
        const char *name = tn_value_text(cursor.key, &length);
        buf_append_string(out, count > 0 ? ", " : "");
        if (count++ == NAMES_SHOWN || !name) {
            buf_append_string(out, "...");
            break;
        }
        say_text(out, name, length, 30);
    }
}

static void say_value(Buf *out, tn_value value)
{
    static const char *const kinds[] = {
        [TN_TYPE_UNDEFINED] = "undefined", [TN_TYPE_NULL] = "null",
        [TN_TYPE_BIGINT] = "a bigint",     [TN_TYPE_MAP] = "a Map",
        [TN_TYPE_SET] = "a Set",           [TN_TYPE_DATE] = "a Date",
        [TN_TYPE_REGEXP] = "a RegExp",     [TN_TYPE_ERROR] = "an Error"};
    tn_type type = tn_value_type(value);
    const TypedArray *array;
    size_t length = 0;
    const char *text;
    Item item;

    switch (type) {
    case TN_TYPE_BOOL:
        buf_append_string(out, tn_value_bool(value) ? "true" : "false");
        break;
    case TN_TYPE_NUMBER:
        buf_append_string(out, "the number ");
        say_number(out, tn_value_number(value));
        break;
    case TN_TYPE_TEXT:
        buf_append_string(out, "the string ");
        text = tn_value_text(value, &length);
        say_text(out, text ? text : "", length, TEXT_SHOWN);
        break;
    case TN_TYPE_BYTES:
        array = value_open(value, &item) ? typed_array_of_tag(item.tag) : NULL;
        buf_append_string(out, "a ");
        buf_append_string(out, array ? array->name : "view of bytes");
        break;
    case TN_TYPE_ARRAY:
        buf_append_string(out, tn_value_count(value) > 0 ? "an array of " : "an empty array");
        if (tn_value_count(value) > 0)
            buf_append_uint(out, tn_value_count(value));
        break;
    case TN_TYPE_OBJECT:
        say_names(out, value);
        break;
    case TN_TYPE_REFERENCE: {
        tn_value interface;
        uint64_t id, generation;
        text = value_reference_parts(value, &interface, &id, &generation)
                   ? tn_value_text(interface, &length)
                   : NULL;
        buf_append_string(out, "a ");
        buf_append(out, text ? text : "?", text ? length : 1);
        break;
    }
    default:
        buf_append_string(out, type < sizeof kinds / sizeof *kinds && kinds[type] ? kinds[type]
                                                                                  : "this value");
        break;
    }
}

/* ---- where ---- */

static bool is_plain_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
              (i > 0 && c >= '0' && c <= '9')))
            return false;
    }
    return length > 0;
}

static void put_path(Buf *out, const Where *where)
{
    bool name = where->name && where->name[0];

    if (where->up)
        put_path(out, where->up);
    else if (!name)
        buf_append_string(out, "arguments");
    if (out->length > PATH_SHOWN)
        return;
    if (name && (!where->up || is_plain_name(where->name, where->length))) {
        buf_append_string(out, where->up ? "." : "");
        buf_append(out, where->name, where->length);
        return;
    }
    buf_append_byte(out, '[');
    if (name)
        say_text(out, where->name, where->length, TEXT_SHOWN);
    else
        buf_append_uint(out, where->length);
    buf_append_byte(out, ']');
}

/* ---- faults ---- */

static unsigned depth_of(const Where *where)
{
    unsigned depth = 0;

    for (; where; where = where->up)
        depth++;
    return depth;
}

bool hold_fail(Hold *hold, const Shape *shape, const CborReader *in, const Where *where)
{
    Fault *fault = hold->fault;
    unsigned depth;
    Buf out;

    if (!fault || (depth = depth_of(where)) <= fault->depth)
        return false;
    fault->depth = depth;
    fault->telling = shape->kind >= SHAPE_TEXT && shape->kind <= SHAPE_BOOL;
    buf_init(&out, hold->scratch->allocator, SIZE_MAX);
    put_path(&out, where);
    fault->path = finish(hold, &out);
    buf_init(&out, hold->scratch->allocator, SIZE_MAX);
    say_shape(&out, shape, 0);
    fault->expected = finish(hold, &out);
    buf_init(&out, hold->scratch->allocator, SIZE_MAX);
    if (in->end == hold->end)
        say_value(&out, (tn_value){hold->document, in->at, hold->end});
    else
        buf_append_string(&out, "missing");
    fault->got = finish(hold, &out);
    return false;
}

/* The alternative that comes nearest is told: the one that gets deepest into the value. What only
 * says that another one was meant is no depth, but if that is all there is, it is told of all. */
bool hold_explain_union(Hold *hold, const Shape *shape, const CborReader *at, const Where *where)
{
    unsigned depth = depth_of(where);
    Fault *outer = hold->fault, nearest = {.depth = depth}, telling = {0};
    bool alike = true;
    Buf tellings;

    if (!outer)
        return false;
    buf_init(&tellings, hold->scratch->allocator, WORDS_SHOWN);
    for (uint32_t i = 0; i < shape->list->count && !hold->stopped; i++) {
        CborReader in = *at;
        Fault one = {0};
        hold->fault = &one;
        hold->choosing = true;
        (void)hold_shape(hold, shape->list->items[i], &in, where);
        hold->choosing = false;
        if (one.depth > depth && one.telling && one.depth == depth + 1) {
            alike = alike && (!telling.path || strcmp(telling.path, one.path) == 0);
            telling = one;
            say_once(&tellings, one.expected);
        } else if (one.depth > nearest.depth) {
            nearest = one;
        }
    }
    hold->fault = outer;
    if (nearest.depth == depth && telling.path && alike) {
        nearest = telling;
        nearest.telling = false;
        nearest.expected = finish(hold, &tellings);
    }
    buf_release(&tellings);
    if (nearest.depth == depth)
        return hold_fail(hold, shape, at, where);
    if (nearest.depth > outer->depth)
        *outer = nearest;
    return false;
}
