/*
 * A value written as JSON text.
 *
 * One reader walks the document. A reference to an object that is not open sends it there and back
 * (the object is written again); one to an object that is open would never end, and is written as
 * where that object is: {"$type":"circular","path":"$.a[0]"}.
 */
#include <math.h>
#include <string.h>

#include "json.h"
#include "memory.h"
#include "number.h"
#include "text.h"

typedef enum FrameKind {
    FRAME_ARRAY,
    FRAME_SET,
    FRAME_OBJECT,
    FRAME_ENTRIES, /* a map, or an object whose keys JSON cannot hold: [[key, value], ...] */
    FRAME_ERROR,   /* its map of properties */
    FRAME_JUMP     /* to a shared object: go on at `after` */
} FrameKind;

typedef struct JsonFrame {
    FrameKind kind;
    bool in_properties;   /* error: past the members that the form itself has */
    size_t owed;          /* children still to come, a pair being two; SIZE_MAX until a break */
    size_t done;          /* children begun */
    size_t shared;        /* its count among the shared objects, from 1; 0 if it is not shared */
    const uint8_t *key;   /* of the child that is being written */
    const uint8_t *after; /* jump */
} JsonFrame;

typedef struct JsonWriter {
    const ValueIndex *index;
    const tn_allocator *allocator;
    tn_value value;
    CborReader in;
    Buf *out;
    Buf frames;
    size_t *open; /* for each shared object, 1 + the depth at which it is open; 0 if it is not */
} JsonWriter;

size_t json_limit(size_t document_bytes)
{
    const size_t least = 16 * 1024 * 1024;
    size_t most = document_bytes > SIZE_MAX / 64 ? SIZE_MAX : document_bytes * 64;
    return most < least ? least : most;
}

static size_t depth_of(const JsonWriter *writer)
{
    return writer->frames.length / sizeof(JsonFrame);
}

static JsonFrame *frame_at(const JsonWriter *writer, size_t depth)
{
    return (JsonFrame *)(void *)writer->frames.data + depth;
}

static void put(JsonWriter *writer, const char *text)
{
    buf_append_string(writer->out, text);
}

static void push(JsonWriter *writer, JsonFrame frame)
{
    buf_append(&writer->frames, &frame, sizeof frame);
    if (!writer->frames.failed && frame.shared)
        writer->open[frame.shared - 1] = depth_of(writer);
}

static void pop(JsonWriter *writer)
{
    const JsonFrame *frame = frame_at(writer, depth_of(writer) - 1);

    if (frame->shared)
        writer->open[frame->shared - 1] = 0;
    writer->frames.length -= sizeof *frame;
}

/* ---- leaves ---- */

static void put_number(JsonWriter *writer, double number)
{
    char text[NUMBER_TEXT_MAX];

    if (isfinite(number) && !(number == 0 && signbit(number))) {
        json_put_number(writer->out, number);
        return;
    }
    put(writer, "{\"$type\":\"number\",\"value\":\"");
    (void)number_text(number, text);
    put(writer, text);
    put(writer, "\"}");
}

static void put_text(JsonWriter *writer, const Item *item)
{
    size_t length;
    const char *text = item_text(item, &length);

    if (item->tag != CBOR_TAG_WTF8) {
        json_put_string(writer->out, text, length);
        return;
    }
    put(writer, "{\"$type\":\"text\",\"wtf8Base64\":\"");
    json_put_base64(writer->out, (const uint8_t *)text, length);
    put(writer, "\"}");
}

static void put_elements(JsonWriter *writer, const TypedArray *array, const uint8_t *bytes,
                         size_t length)
{
    char text[24];

    put(writer, "{\"$type\":\"");
    put(writer, array->name);
    put(writer, "\",\"values\":[");
    for (size_t i = 0; i < length && !writer->out->failed; i += array->bytes) {
        uint64_t bits;
        double number = typed_array_element(array, bytes + i, &bits);
        if (i > 0)
            put(writer, ",");
        if (array->bytes < 8 || array->kind == ELEMENT_FLOAT) {
            put_number(writer, number);
            continue;
        }
        bool minus = array->kind == ELEMENT_INT && (int64_t)bits < 0;
        char *at = text + sizeof text;
        uint64_t left = minus ? 0 - bits : bits;
        do
            *--at = (char)('0' + left % 10);
        while ((left /= 10) != 0);
        put(writer, minus ? "\"-" : "\"");
        buf_append(writer->out, at, (size_t)(text + sizeof text - at));
        put(writer, "\"");
    }
    put(writer, "]}");
}

static void put_bytes(JsonWriter *writer, const Item *item)
{
    const TypedArray *array = typed_array_of_tag(item->tag);
    size_t length;
    const uint8_t *bytes = (const uint8_t *)item_text(item, &length);
    bool whole = array->tag == CBOR_TAG_ARRAY_BUFFER || array->tag == CBOR_TAG_DATA_VIEW;

    if (array->tag != 0 && !whole) {
        put_elements(writer, array, bytes, length);
        return;
    }
    put(writer, "{\"$type\":\"bytes\",");
    if (whole) {
        put(writer, "\"view\":\"");
        put(writer, array->name);
        put(writer, "\",");
    }
    put(writer, "\"base64\":\"");
    json_put_base64(writer->out, bytes, length);
    put(writer, "\"}");
}

static void put_date(JsonWriter *writer, double ms)
{
    put(writer, "{\"$type\":\"date\",\"value\":");
    if (isnan(ms)) {
        put(writer, "null}");
        return;
    }
    put(writer, "\"");
    json_put_iso_date(writer->out, ms);
    put(writer, "\"}");
}

static void put_regexp(JsonWriter *writer, tn_value value)
{
    tn_value source, flags;
    Item item;

    if (!value_regexp_parts(value, &source, &flags))
        return;
    put(writer, "{\"$type\":\"regexp\",\"source\":");
    if (value_open(source, &item))
        put_text(writer, &item);
    put(writer, ",\"flags\":");
    if (value_open(flags, &item))
        put_text(writer, &item);
    put(writer, "}");
}

static void put_reference(JsonWriter *writer, tn_value value)
{
    tn_value name;
    uint64_t id, generation;
    Item item;

    if (!value_reference_parts(value, &name, &id, &generation))
        return;
    put(writer, "{\"$type\":\"reference\",\"interface\":");
    if (value_open(name, &item))
        put_text(writer, &item);
    put(writer, ",\"id\":");
    buf_append_uint(writer->out, id);
    put(writer, "}");
}

static void put_simple(JsonWriter *writer, const Item *item)
{
    static const char *const words[] = {"false", "true", "null", "{\"$type\":\"undefined\"}"};
    put(writer, words[item->head.argument - CBOR_FALSE]);
}

/* ---- where an open object is ---- */

static bool is_identifier(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') ||
                      text[i] == '_' || text[i] == '$';
        if (!letter && !(i > 0 && text[i] >= '0' && text[i] <= '9'))
            return false;
    }
    return length > 0;
}

static void put_path_key(JsonWriter *writer, const uint8_t *key, Buf *path)
{
    Item item;
    size_t length;
    const char *text = item_read(key, writer->value.end, &item) ? item_text(&item, &length) : NULL;

    if (!text)
        return;
    if (is_identifier(text, length)) {
        buf_append_byte(path, '.');
        buf_append(path, text, length);
        return;
    }
    buf_append_byte(path, '[');
    json_put_string(path, text, length);
    buf_append_byte(path, ']');
}

static void put_path_step(JsonWriter *writer, const JsonFrame *frame, Buf *path)
{
    size_t at = frame->done - 1;

    switch (frame->kind) {
    case FRAME_SET:
        buf_append_string(path, ".values");
        /* fall through */
    case FRAME_ARRAY:
    case FRAME_ENTRIES:
        if (frame->kind == FRAME_ENTRIES)
            buf_append_string(path, ".entries");
        buf_append_byte(path, '[');
        buf_append_uint(path, frame->kind == FRAME_ENTRIES ? at / 2 : at);
        if (frame->kind == FRAME_ENTRIES)
            buf_append_string(path, at % 2 ? "][1" : "][0");
        buf_append_byte(path, ']');
        break;
    case FRAME_ERROR:
        if (frame->in_properties)
            buf_append_string(path, ".properties");
        /* fall through */
    case FRAME_OBJECT:
        put_path_key(writer, frame->key, path);
        break;
    case FRAME_JUMP:
        break;
    }
}

/* The path is a text inside the text: it is made apart and then escaped. */
static void put_circular(JsonWriter *writer, size_t depth)
{
    Buf path;

    buf_init(&path, writer->allocator, writer->out->limit);
    buf_append_byte(&path, '$');
    for (size_t i = 0; i < depth; i++)
        put_path_step(writer, frame_at(writer, i), &path);
    put(writer, "{\"$type\":\"circular\",\"path\":");
    json_put_string(writer->out, (const char *)path.data, path.length);
    put(writer, "}");
    if (path.failed) {
        writer->out->failed = true;
        writer->out->over_limit = path.over_limit;
    }
    buf_release(&path);
}

/* ---- containers ---- */

static bool is_odd_object(const JsonWriter *writer, const Item *item, const uint8_t *at)
{
    return item->type == TN_TYPE_OBJECT &&
           value_index_is_odd(writer->index, writer->value.document, at);
}

/* An error is [name, {message, ...}]: both heads are read, the name written. */
static void open_error(JsonWriter *writer, const Item *error, JsonFrame frame)
{
    Item name, properties;
    const uint8_t *bytes;
    size_t length;

    if (!item_read(error->in.at, error->in.end, &name))
        return;
    CborReader in = name.in;
    if (!cbor_string(&in, &name.head, &bytes, &length) || !item_read(in.at, in.end, &properties))
        return;
    put(writer, "{\"$type\":\"error\",\"name\":");
    put_text(writer, &name);
    writer->in.at = properties.in.at;
    frame.kind = FRAME_ERROR;
    frame.owed = properties.head.indefinite ? SIZE_MAX : (size_t)properties.head.argument * 2;
    push(writer, frame);
}

static void open_container(JsonWriter *writer, const Item *item, const uint8_t *at, JsonFrame frame)
{
    bool map = item->head.major == CBOR_MAP;

    frame.owed = item->head.indefinite ? SIZE_MAX : (size_t)item->head.argument * (map ? 2 : 1);
    switch (item->type) {
    case TN_TYPE_ARRAY:
        frame.kind = FRAME_ARRAY;
        put(writer, "[");
        break;
    case TN_TYPE_SET:
        frame.kind = FRAME_SET;
        put(writer, "{\"$type\":\"set\",\"values\":[");
        break;
    case TN_TYPE_ERROR:
        open_error(writer, item, frame);
        return;
    case TN_TYPE_MAP:
        frame.kind = FRAME_ENTRIES;
        put(writer, "{\"$type\":\"map\",\"entries\":[");
        break;
    default:
        frame.kind = is_odd_object(writer, item, at) ? FRAME_ENTRIES : FRAME_OBJECT;
        put(writer, frame.kind == FRAME_OBJECT ? "{" : "{\"$type\":\"object\",\"entries\":[");
        break;
    }
    push(writer, frame);
}

static void close_container(JsonWriter *writer, const JsonFrame *frame)
{
    static const char *const closers[] = {[FRAME_ARRAY] = "]",
                                          [FRAME_SET] = "]}",
                                          [FRAME_OBJECT] = "}",
                                          [FRAME_ENTRIES] = "]}",
                                          [FRAME_ERROR] = "}"};
    if (frame->kind == FRAME_ENTRIES && frame->done > 0)
        put(writer, "]");
    if (frame->in_properties)
        put(writer, "}");
    put(writer, closers[frame->kind]);
}

/* The members that an error's form has itself; they come first, whatever else there is. */
static bool is_error_member(const Item *key)
{
    static const char *const names[] = {"message", "stack", "cause", "errors"};
    size_t length;
    const char *text = item_text(key, &length);

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (length == strlen(names[i]) && memcmp(text, names[i], length) == 0)
            return true;
    }
    return false;
}

/* A member's name is written with the comma before it. */
static void put_key(JsonWriter *writer, JsonFrame *frame)
{
    const uint8_t *bytes;
    size_t length;
    Item key;

    frame->key = writer->in.at;
    if (!item_read(writer->in.at, writer->in.end, &key))
        return;
    writer->in = key.in;
    (void)cbor_string(&writer->in, &key.head, &bytes, &length);
    bool first = frame->done == 0;
    if (frame->kind == FRAME_ERROR) {
        first = false;
        if (!frame->in_properties && !is_error_member(&key)) {
            put(writer, ",\"properties\":{");
            frame->in_properties = first = true;
        }
    }
    if (!first)
        put(writer, ",");
    /* In an error's properties, a name that is no Unicode loses its lone surrogates. */
    json_put_string(writer->out, (const char *)bytes, length);
    put(writer, ":");
}

/* Everything between two children. */
static void put_between(JsonWriter *writer, JsonFrame *frame)
{
    switch (frame->kind) {
    case FRAME_OBJECT:
    case FRAME_ERROR:
        put_key(writer, frame);
        if (frame->owed != SIZE_MAX)
            frame->owed--;
        frame->done++;
        break;
    case FRAME_ENTRIES:
        if (frame->done % 2 == 0 && frame->done > 0)
            put(writer, "],");
        put(writer, frame->done % 2 == 0 ? "[" : ",");
        break;
    default:
        if (frame->done > 0)
            put(writer, ",");
        break;
    }
    if (frame->owed != SIZE_MAX)
        frame->owed--;
    frame->done++;
}

static void put_leaf(JsonWriter *writer, const Item *item, tn_value value)
{
    switch (item->type) {
    case TN_TYPE_NUMBER:
        put_number(writer, item_number(item));
        break;
    case TN_TYPE_BIGINT:
        put(writer, "{\"$type\":\"bigint\",\"value\":\"");
        json_put_bigint(writer->out, item);
        put(writer, "\"}");
        break;
    case TN_TYPE_TEXT:
        put_text(writer, item);
        break;
    case TN_TYPE_BYTES:
        put_bytes(writer, item);
        break;
    case TN_TYPE_DATE:
        put_date(writer, item_number(item));
        break;
    case TN_TYPE_REGEXP:
        put_regexp(writer, value);
        break;
    case TN_TYPE_REFERENCE:
        put_reference(writer, value);
        break;
    default:
        put_simple(writer, item);
        break;
    }
}

static bool is_open_type(tn_type type)
{
    return type == TN_TYPE_ARRAY || type == TN_TYPE_OBJECT || type == TN_TYPE_MAP ||
           type == TN_TYPE_SET || type == TN_TYPE_ERROR;
}

/* The item at the reader: written if it is a leaf, begun if it is not. */
static void put_item(JsonWriter *writer)
{
    const uint8_t *at = writer->in.at;
    const uint8_t *document = writer->value.document;
    JsonFrame frame = {0};
    Item item;

    if (!item_read(at, writer->in.end, &item))
        return;
    bool jump = item.type == TN_TYPE_NONE;
    if (jump || item.shared) {
        size_t number = jump ? (size_t)item.ref : value_index_number(writer->index, document, at);
        size_t depth = writer->open[number];
        if (depth > 0) {
            (void)cbor_skip(&writer->in, CBOR_DEPTH_MAX);
            put_circular(writer, depth - 1);
            return;
        }
        frame.shared = number + 1;
    }
    if (jump) {
        push(writer, (JsonFrame){.kind = FRAME_JUMP, .after = item.in.at});
        at = value_index_shared(writer->index, document, item.ref);
        if (!item_read(at, writer->in.end, &item))
            return;
    }
    if (is_open_type(item.type)) {
        writer->in.at = item.in.at;
        open_container(writer, &item, at, frame);
        return;
    }
    tn_value value = {document, at, writer->in.end};
    writer->in.at = at;
    (void)cbor_skip(&writer->in, CBOR_DEPTH_MAX);
    put_leaf(writer, &item, value);
}

/* Ends what is at its end; true if there is a child to write next. */
static bool next_child(JsonWriter *writer)
{
    while (writer->frames.length > 0) {
        JsonFrame *frame = frame_at(writer, depth_of(writer) - 1);
        bool between = frame->done % 2 == 0 || frame->kind != FRAME_ENTRIES;
        if (frame->kind == FRAME_JUMP) {
            writer->in.at = frame->after;
        } else if (frame->owed == 0 ||
                   (frame->owed == SIZE_MAX && between && cbor_break(&writer->in))) {
            close_container(writer, frame);
        } else {
            put_between(writer, frame);
            return true;
        }
        pop(writer);
    }
    return false;
}

tn_status json_write(const ValueIndex *index, const tn_allocator *allocator, tn_value value,
                     Buf *out)
{
    JsonWriter writer = {.index = index,
                         .allocator = allocator,
                         .value = value,
                         .in = {value.start, value.end},
                         .out = out};
    size_t bytes = (index->shared_count + 1) * sizeof *writer.open;

    buf_init(&writer.frames, allocator, SIZE_MAX);
    writer.open = memory_new(allocator, bytes);
    if (!writer.open)
        return TN_ERR_NOMEM;
    do
        put_item(&writer);
    while (!out->failed && !writer.frames.failed && next_child(&writer));
    memory_free(allocator, writer.open, bytes);
    bool failed = writer.frames.failed;
    buf_release(&writer.frames);
    return failed ? TN_ERR_NOMEM : buf_status(out);
}

tn_status value_json(const tn_allocator *allocator, tn_value value, Buf *out)
{
    ValueIndex index;

    if (!value.start || value.start >= value.end)
        return TN_ERR_ARGUMENT;
    tn_status status =
        value_index_init(&index, allocator, value.document, (size_t)(value.end - value.document));
    if (status != TN_OK)
        return status;
    status = json_write(&index, allocator, value, out);
    value_index_release(&index);
    return status;
}

tn_status tn_value_json(tn_value value, char **out_text, size_t *out_length)
{
    const tn_allocator *allocator = memory_default();
    Buf text;

    if (!value.start || value.start >= value.end)
        return TN_ERR_ARGUMENT;
    text_begin(&text, allocator, json_limit((size_t)(value.end - value.document)));
    tn_status status = value_json(allocator, value, &text);
    if (status != TN_OK) {
        buf_release(&text);
        return status;
    }
    return text_finish(&text, out_text, out_length);
}
