#include "display.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "number.h"
#include "safe.h"
#include "utf8.h"

/* Cutting goes less deep than showing: each level walks what is below it once more. */
enum { cut_depth_most = 8, line_columns = 100 };

typedef struct Writer {
    const Display *display;
    Buf *out;
    size_t end; /* the length that `out` must not pass */
    unsigned depth;
    const uint8_t *open[DISPLAY_DEPTH];
} Writer;

tn_status display_init(Display *display, const tn_allocator *allocator, tn_value value)
{
    *display = (Display){.root = value};
    return value_index_init(&display->index, allocator, value.document,
                            (size_t)(value.end - value.document));
}

void display_release(Display *display)
{
    value_index_release(&display->index);
}

tn_value display_resolve(const Display *display, tn_value value)
{
    Item item;

    if (item_read(value.start, value.end, &item) && item.type == TN_TYPE_NONE)
        value.start = value_index_shared(&display->index, value.document, item.ref);
    return value;
}

bool display_is_scalar(tn_type type)
{
    return type != TN_TYPE_ARRAY && type != TN_TYPE_OBJECT && type != TN_TYPE_MAP &&
           type != TN_TYPE_SET && type != TN_TYPE_ERROR && type != TN_TYPE_BYTES;
}

static bool is_over(const Writer *writer)
{
    return writer->out->failed || writer->out->length > writer->end;
}

static void put(Writer *writer, const char *text)
{
    buf_append_string(writer->out, text);
}

static void put_count(Writer *writer, const char *before, uint64_t count, const char *after)
{
    put(writer, before);
    buf_append_uint(writer->out, count);
    put(writer, after);
}

/* The item at a place of the document, references followed. Where it really stands, and where the
 * document goes on: the same thing's end unless it was a reference. */
typedef struct Met {
    Item item;
    const uint8_t *at;
    const uint8_t *after; /* NULL: after the item */
} Met;

static bool meet(const Writer *writer, const uint8_t *at, Met *out_met)
{
    const Display *display = writer->display;
    Met met = {.at = at};

    if (!item_read(at, display->root.end, &met.item))
        return false;
    if (met.item.type == TN_TYPE_NONE) {
        met.after = met.item.in.at;
        met.at = value_index_shared(&display->index, display->root.document, met.item.ref);
        if (!met.at || !item_read(met.at, display->root.end, &met.item))
            return false;
    }
    *out_met = met;
    return true;
}

static const uint8_t *skip(const Writer *writer, const uint8_t *at)
{
    CborReader in = {at, writer->display->root.end};
    return cbor_skip(&in, CBOR_DEPTH_MAX) ? in.at : in.end;
}

static const uint8_t *end_of(const Writer *writer, const Met *met)
{
    return met->after ? met->after : skip(writer, met->at);
}

static bool is_open(const Writer *writer, const uint8_t *at)
{
    for (unsigned i = 0; i < writer->depth; i++) {
        if (writer->open[i] == at)
            return true;
    }
    return false;
}

static tn_value value_at(const Writer *writer, const uint8_t *at)
{
    return (tn_value){writer->display->root.document, at, writer->display->root.end};
}

/* ---- what has no children ---- */

static void put_element(Writer *writer, const TypedArray *array, const uint8_t *at)
{
    char text[NUMBER_TEXT_MAX];
    uint64_t bits;
    double number = typed_array_element(array, at, &bits);

    if (array->bytes < 8 || array->kind == ELEMENT_FLOAT) {
        (void)number_text(number, text);
        put(writer, text);
    } else if (array->kind == ELEMENT_INT && (int64_t)bits < 0) {
        put_count(writer, "-", 0 - bits, "n");
    } else {
        put_count(writer, "", bits, "n");
    }
}

/* As many elements as fit into `room`, the others counted. */
static void put_bytes(Writer *writer, const Item *item, size_t room)
{
    const TypedArray *array = typed_array_of_tag(item->tag);
    size_t length, start = writer->out->length;
    const uint8_t *bytes = (const uint8_t *)item_text(item, &length);
    size_t count = length / array->bytes;

    put(writer, array->name);
    put_count(writer, "(", count, ") [");
    for (size_t i = 0; i < count && !writer->out->failed; i++) {
        if (i > 0)
            put(writer, writer->display->spaced ? ", " : ",");
        if (writer->out->length - start + 40 > room) {
            put_count(writer, "... ", count - i, " more");
            break;
        }
        put_element(writer, array, bytes + i * array->bytes);
    }
    put(writer, "]");
}

static void put_number(Writer *writer, double number)
{
    char text[NUMBER_TEXT_MAX];

    (void)number_text(number, text);
    put(writer, number == 0 && signbit(number) ? "-0" : text);
}

static void put_date(Writer *writer, double ms)
{
    if (isnan(ms))
        put(writer, "Invalid Date");
    else
        json_put_iso_date(writer->out, ms);
}

static void put_text_of(Writer *writer, tn_value value)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    if (text)
        safe_put(writer->out, text, length);
}

static void put_regexp(Writer *writer, tn_value value)
{
    tn_value source, flags;

    if (!value_regexp_parts(value, &source, &flags))
        return;
    put(writer, "/");
    put_text_of(writer, source);
    put(writer, "/");
    put_text_of(writer, flags);
}

static void put_reference(Writer *writer, tn_value value)
{
    tn_value name;
    uint64_t id, generation;

    if (!value_reference_parts(value, &name, &id, &generation))
        return;
    put_text_of(writer, name);
    put_count(writer, "#", id, "");
}

static void put_leaf(Writer *writer, const Met *met)
{
    static const char *const words[] = {"false", "true", "null", "undefined"};
    const Item *item = &met->item;
    size_t length;

    switch (item->type) {
    case TN_TYPE_NUMBER:
        put_number(writer, item_number(item));
        break;
    case TN_TYPE_BIGINT:
        json_put_bigint(writer->out, item);
        put(writer, "n");
        break;
    case TN_TYPE_TEXT: {
        const char *text = item_text(item, &length);
        json_put_string(writer->out, text, length);
        break;
    }
    case TN_TYPE_BYTES:
        put_bytes(writer, item, SIZE_MAX);
        break;
    case TN_TYPE_DATE:
        put_date(writer, item_number(item));
        break;
    case TN_TYPE_REGEXP:
        put_regexp(writer, value_at(writer, met->at));
        break;
    case TN_TYPE_REFERENCE:
        put_reference(writer, value_at(writer, met->at));
        break;
    default:
        put(writer, words[item->head.argument - CBOR_FALSE]);
        break;
    }
}

/* A text or byte array has as many bytes as its display at the least: do not even begin what is
 * far too long. */
static bool is_too_long(const Writer *writer, const Item *item)
{
    bool has_length = item->head.major == CBOR_BYTES || item->head.major == CBOR_TEXT;
    return has_length && item->type != TN_TYPE_BIGINT &&
           item->head.argument / 8 > writer->end - writer->out->length;
}

/* ---- what has ---- */

/* A walk over the children of a container; for errors, over the members of its map. */
typedef struct Children {
    CborReader in;
    size_t left; /* SIZE_MAX until a break */
    bool keyed;
} Children;

static Children children_of(const Item *item)
{
    return (Children){.in = item->in,
                      .left = item->head.indefinite ? SIZE_MAX : (size_t)item->head.argument,
                      .keyed = item->head.major == CBOR_MAP};
}

static bool has_child(Children *children)
{
    if (children->left == SIZE_MAX)
        return !cbor_break(&children->in);
    return children->left > 0;
}

static void step_to(Children *children, const uint8_t *after)
{
    children->in.at = after;
    if (children->left != SIZE_MAX)
        children->left--;
}

static void put_opener(Writer *writer, const Met *met, size_t count)
{
    switch (met->item.type) {
    case TN_TYPE_ARRAY:
        put(writer, "[");
        break;
    case TN_TYPE_MAP:
        put_count(writer, "Map(", count, ") {");
        break;
    case TN_TYPE_SET:
        put_count(writer, "Set(", count, ") {");
        break;
    default:
        put(writer, "{");
        break;
    }
}

static const char *closer_of(tn_type type)
{
    return type == TN_TYPE_ARRAY ? "]" : "}";
}

static const uint8_t *put_item(Writer *writer, const uint8_t *at);

/* The key before a child's value. Where the value is. */
static const uint8_t *put_key(Writer *writer, tn_type type, const uint8_t *at)
{
    const uint8_t *after = put_item(writer, at);

    if (type == TN_TYPE_MAP)
        put(writer, " => ");
    else
        put(writer, writer->display->spaced ? ": " : ":");
    return after;
}

/* "[TypeError: message {"code": 5}]". The stack is left out. */
static const uint8_t *put_error(Writer *writer, const Met *met)
{
    tn_value name, properties;
    size_t shown = 0;
    Met map;

    if (!value_error_parts(value_at(writer, met->at), &name, &properties) ||
        !meet(writer, properties.start, &map))
        return end_of(writer, met);
    tn_value message = tn_value_member(value_at(writer, met->at), "message");
    put(writer, "[");
    put_text_of(writer, name);
    put(writer, tn_value_type(message) == TN_TYPE_TEXT ? ": " : "");
    put_text_of(writer, tn_value_type(message) == TN_TYPE_TEXT ? message : (tn_value){0});
    Children children = children_of(&map.item);
    while (!is_over(writer) && has_child(&children)) {
        size_t length;
        const char *key = tn_value_text(value_at(writer, children.in.at), &length);
        const uint8_t *value = skip(writer, children.in.at);
        bool known = key && ((length == 7 && memcmp(key, "message", 7) == 0) ||
                             (length == 5 && memcmp(key, "stack", 5) == 0));
        if (known) {
            step_to(&children, skip(writer, value));
            continue;
        }
        put(writer, shown++ == 0 ? " {" : writer->display->spaced ? ", " : ",");
        (void)put_key(writer, TN_TYPE_OBJECT, children.in.at);
        step_to(&children, put_item(writer, value));
    }
    put(writer, shown > 0 ? "}]" : "]");
    return children.in.at;
}

static const uint8_t *put_children(Writer *writer, const Met *met)
{
    Children children = children_of(&met->item);
    bool first = true;

    put_opener(writer, met, tn_value_count(value_at(writer, met->at)));
    while (!is_over(writer) && has_child(&children)) {
        const uint8_t *at = children.in.at;
        if (!first)
            put(writer, writer->display->spaced ? ", " : ",");
        first = false;
        if (children.keyed)
            at = put_key(writer, met->item.type, at);
        step_to(&children, put_item(writer, at));
    }
    put(writer, closer_of(met->item.type));
    return children.in.at;
}

/* One item in one line. Returns where the document goes on; what is written is of no use if the
 * writer is over its end then. */
static const uint8_t *put_item(Writer *writer, const uint8_t *at)
{
    const uint8_t *after;
    Met met;

    if (is_over(writer) || !meet(writer, at, &met))
        return writer->display->root.end;
    bool container = met.item.head.major == CBOR_ARRAY || met.item.head.major == CBOR_MAP;
    if (!container || met.item.type == TN_TYPE_REGEXP || met.item.type == TN_TYPE_REFERENCE) {
        if (is_too_long(writer, &met.item))
            writer->end = 0;
        else
            put_leaf(writer, &met);
        return end_of(writer, &met);
    }
    if (is_open(writer, met.at) || writer->depth == DISPLAY_DEPTH) {
        put(writer, writer->depth == DISPLAY_DEPTH ? "..." : "[circular]");
        return end_of(writer, &met);
    }
    writer->open[writer->depth++] = met.at;
    after = met.item.type == TN_TYPE_ERROR ? put_error(writer, &met) : put_children(writer, &met);
    writer->depth--;
    return met.after ? met.after : after;
}

static bool put_whole(Writer *writer, const uint8_t *at, size_t room)
{
    size_t begin = writer->out->length, end = writer->end;

    writer->end = room > SIZE_MAX - begin ? SIZE_MAX : begin + room;
    (void)put_item(writer, at);
    bool fits = !is_over(writer);
    writer->end = end;
    if (!fits && !writer->out->failed)
        buf_truncate(writer->out, begin);
    return fits;
}

bool display_whole(const Display *display, tn_value value, size_t room, Buf *out)
{
    Writer writer = {.display = display, .out = out};
    return put_whole(&writer, value.start, room);
}

/* ---- cut to a size ---- */

static void cut_text(Writer *writer, const Item *item, size_t room)
{
    size_t length, at = 0, start = writer->out->length;
    const char *text = item_text(item, &length);

    put(writer, "\"");
    while (at < length && writer->out->length - start + 36 < room) {
        uint32_t code;
        size_t bytes = utf8_decode(text + at, length - at, &code);
        bytes = bytes > 0 ? bytes : 1;
        json_put_escaped(writer->out, text + at, bytes);
        at += bytes;
    }
    put_count(writer, "...\" (", utf8_points(text + at, length - at), " more characters)");
}

static void put_cut(Writer *writer, const uint8_t *at, size_t room);

/* A third of the room for one child that does not fit, more if it is among the last. */
static size_t share_of(size_t room, size_t children_left)
{
    size_t share = room / (children_left < 3 ? children_left : 3);
    return share < 40 ? 40 : share;
}

/* What a note of what is left out, and the closers around it, may take. */
enum { note_bytes = 28, child_bytes_least = 12 };

static void cut_children(Writer *writer, const Met *met, size_t room)
{
    size_t start = writer->out->length, total = tn_value_count(value_at(writer, met->at));
    Children children = children_of(&met->item);
    size_t shown = 0;

    put_opener(writer, met, total);
    while (shown < total && has_child(&children) && !writer->out->failed) {
        size_t mark = writer->out->length;
        size_t used = mark - start + note_bytes;
        size_t left = room > used ? room - used : 0;
        const uint8_t *at = children.in.at;
        if (shown > 0)
            put(writer, writer->display->spaced ? ", " : ",");
        if (children.keyed) {
            put_cut(writer, at, left / 2);
            put(writer, met->item.type == TN_TYPE_MAP ? " => "
                        : writer->display->spaced     ? ": "
                                                      : ":");
            at = skip(writer, at);
        }
        size_t key = writer->out->length - mark;
        left = left > key ? left - key : 0;
        bool fits = left >= child_bytes_least && put_whole(writer, at, left);
        if (!fits && left >= 40 && writer->depth < cut_depth_most) {
            put_cut(writer, at, share_of(left, total - shown));
        } else if (!fits) {
            buf_truncate(writer->out, mark);
            break;
        }
        step_to(&children, skip(writer, at));
        shown++;
    }
    if (shown < total)
        put_count(writer, shown > 0 ? ", ... " : "... ", total - shown, " more");
    put(writer, closer_of(met->item.type));
}

static void put_cut(Writer *writer, const uint8_t *at, size_t room)
{
    Met met;

    if (put_whole(writer, at, room) || writer->out->failed || !meet(writer, at, &met))
        return;
    if (met.item.type == TN_TYPE_TEXT) {
        cut_text(writer, &met.item, room);
    } else if (met.item.type == TN_TYPE_BYTES) {
        put_bytes(writer, &met.item, room);
    } else if (is_open(writer, met.at) || writer->depth == DISPLAY_DEPTH ||
               display_is_scalar(met.item.type) || met.item.type == TN_TYPE_ERROR) {
        display_shape(writer->display, value_at(writer, met.at), writer->out);
    } else {
        writer->open[writer->depth++] = met.at;
        cut_children(writer, &met, room);
        writer->depth--;
    }
}

void display_cut(const Display *display, tn_value value, size_t room, Buf *out)
{
    Writer writer = {.display = display, .out = out, .end = SIZE_MAX};
    put_cut(&writer, value.start, room);
}

/* ---- over lines ---- */

static void put_indent(Writer *writer)
{
    put(writer, "\n");
    for (unsigned i = 0; i < writer->depth; i++)
        put(writer, "  ");
}

static size_t column_of(const Writer *writer)
{
    size_t at = writer->out->length;

    while (at > 0 && writer->out->data[at - 1] != '\n')
        at--;
    return writer->out->length - at;
}

static const uint8_t *put_lines(Writer *writer, const uint8_t *at)
{
    size_t column = column_of(writer);
    Met met;

    if (is_over(writer) || !meet(writer, at, &met))
        return writer->display->root.end;
    bool narrow = column < line_columns && put_whole(writer, at, line_columns - column);
    if (narrow)
        return end_of(writer, &met);
    if (display_is_scalar(met.item.type) || met.item.type == TN_TYPE_ERROR ||
        met.item.type == TN_TYPE_BYTES || is_open(writer, met.at) || writer->depth == DISPLAY_DEPTH)
        return put_item(writer, at);

    Children children = children_of(&met.item);
    bool first = true;
    put_opener(writer, &met, tn_value_count(value_at(writer, met.at)));
    writer->open[writer->depth++] = met.at;
    while (!is_over(writer) && has_child(&children)) {
        const uint8_t *child = children.in.at;
        put(writer, first ? "" : ",");
        put_indent(writer);
        first = false;
        if (children.keyed)
            child = put_key(writer, met.item.type, child);
        step_to(&children, put_lines(writer, child));
    }
    writer->depth--;
    put_indent(writer);
    put(writer, closer_of(met.item.type));
    return met.after ? met.after : children.in.at;
}

bool display_lines(const Display *display, tn_value value, size_t room, Buf *out)
{
    size_t begin = out->length;
    Writer writer = {
        .display = display, .out = out, .end = room > SIZE_MAX - begin ? SIZE_MAX : begin + room};

    (void)put_lines(&writer, value.start);
    if (!is_over(&writer))
        return true;
    if (!out->failed)
        buf_truncate(out, begin);
    return false;
}
