#include "yaml_read.h"

#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "cbor.h"
#include "number.h"
#include "plain_json.h"
#include "yaml_lazy.h"

enum { NESTED_MOST = 500, ANCHORS_MOST = 10000 };

/* One entry of a mapping, as offsets into what was written. */
typedef struct Entry {
    size_t key, value, end;
    bool merge;
} Entry;

/* A node that was anchored: its bytes, once it is whole. */
typedef struct Anchor {
    const char *name;
    const uint8_t *bytes; /* NULL: we are still in it */
    size_t length;
} Anchor;

/* A sequence or mapping we are in. */
typedef struct Frame {
    bool map, wants_value, merge; /* merge: the key was << */
    bool special;                 /* one of its keys was << */
    size_t start, key;
    size_t entries; /* how many there were when it began */
    size_t anchor;  /* 1 + its index; 0: none */
} Frame;

typedef struct Loading {
    const Yaml *yaml;
    Arena *arena;
    Buf *out;
    Buf entries, anchors;
    Frame frames[NESTED_MOST];
    size_t depth;
    const char *why;
    yaml_mark_t mark;
    bool whole;
} Loading;

static void fail(Loading *loading, const char *why)
{
    if (!loading->why)
        loading->why = why;
}

/* ---- scalars ---- */

static bool is_one_of(const char *text, size_t length, const char *words)
{
    while (*words) {
        size_t count = strcspn(words, " ");
        if (count == length && memcmp(words, text, length) == 0)
            return true;
        words += count + (words[count] == ' ');
    }
    return false;
}

static size_t digits(const char *text, size_t length, size_t at, const char *set)
{
    size_t from = at;

    while (at < length && text[at] && strchr(set, text[at]))
        at++;
    return at - from;
}

static const char decimal[] = "0123456789";

/* [-+]? ( 0-9+ | 0o 0-7+ | 0x 0-9a-fA-F+ ) */
static bool put_integer(Buf *out, const char *text, size_t length)
{
    bool sign = length > 0 && (text[0] == '-' || text[0] == '+');
    bool other = length > 2 && text[0] == '0' && (text[1] == 'o' || text[1] == 'x');
    size_t at = sign;

    if (other) {
        const char *set = text[1] == 'o' ? "01234567" : "0123456789abcdefABCDEF";
        if (length > 17 || digits(text, length, 2, set) != length - 2)
            return false;
        cbor_put_number(out, (double)strtoull(text + 2, NULL, text[1] == 'o' ? 8 : 16));
        return true;
    }
    if (length <= at || digits(text, length, at, decimal) != length - at)
        return false;
    while (at + 1 < length && text[at] == '0')
        at++;
    char small[24] = "-";
    if (length - at < sizeof small - 1) {
        memcpy(small + 1, text + at, length - at);
        bool minus = text[0] == '-' && text[at] != '0';
        return plain_json_read(out, small + !minus, length - at + minus) == TN_OK;
    }
    if (text[0] == '-') /* so long that no zeros are before it but those of a joker */
        return plain_json_read(out, text, length) == TN_OK;
    return plain_json_read(out, text + at, length - at) == TN_OK;
}

/* [-+]? ( . 0-9+ | 0-9+ ( . 0-9* )? ) ( [eE] [-+]? 0-9+ )? */
static bool put_float(Buf *out, const char *text, size_t length)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
    size_t before = digits(text, length, at, decimal), after = 0;
    char plain[128];

    at += before;
    if (at < length && text[at] == '.') {
        after = digits(text, length, at + 1, decimal);
        at += 1 + after;
    }
    if (before + after == 0)
        return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < length && (text[at] == '-' || text[at] == '+');
        size_t exponent = digits(text, length, at, decimal);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    if (at != length || length >= sizeof plain)
        return false;
    memcpy(plain, text, length);
    plain[length] = '\0';
    cbor_put_number(out, number_parse(plain + (plain[0] == '+'), length - (plain[0] == '+')));
    return true;
}

static void put_plain(Buf *out, const char *text, size_t length)
{
    bool first = length > 0 && (strchr("+-.", text[0]) || (text[0] >= '0' && text[0] <= '9'));

    if (length == 0 || is_one_of(text, length, "~ null Null NULL"))
        cbor_put_simple(out, CBOR_NULL);
    else if (is_one_of(text, length, "true True TRUE"))
        cbor_put_simple(out, CBOR_TRUE);
    else if (is_one_of(text, length, "false False FALSE"))
        cbor_put_simple(out, CBOR_FALSE);
    else if (!first || (!put_integer(out, text, length) && !put_float(out, text, length)))
        cbor_put_string(out, text, length);
}

/* ---- mappings ---- */

static const uint8_t *key_bytes(const Buf *buf, const Entry *entry, size_t *out_length)
{
    *out_length = entry->value - entry->key;
    return buf->data + entry->key;
}

static int compare_entries(const void *a, const void *b, void *context)
{
    const Entry *one = a, *other = b;
    size_t length, other_length;
    const uint8_t *key = key_bytes(context, one, &length);
    const uint8_t *other_key = key_bytes(context, other, &other_length);

    if (length != other_length)
        return length < other_length ? -1 : 1;
    int order = memcmp(key, other_key, length);
    return order ? order : (one->key > other->key) - (one->key < other->key);
}

static bool same_key(const Buf *buf, const Entry *a, const Entry *b)
{
    size_t length, other_length;
    const uint8_t *key = key_bytes(buf, a, &length), *other = key_bytes(buf, b, &other_length);

    return length == other_length && memcmp(key, other, length) == 0;
}

/* The entries of one mapping that is whole, put behind the others as merged ones. */
static void list_merged(Loading *loading, size_t at)
{
    CborReader in = {loading->out->data + at, loading->out->data + loading->out->length};
    CborHead head;

    if (!cbor_head(&in, &head) || head.major != CBOR_MAP) {
        fail(loading, "a merge key (<<) needs a mapping, or a list of mappings");
        return;
    }
    while (!cbor_break(&in)) {
        Entry entry = {.key = (size_t)(in.at - loading->out->data), .merge = true};
        if (!cbor_skip(&in, 1))
            return;
        entry.value = (size_t)(in.at - loading->out->data);
        if (!cbor_skip(&in, CBOR_DEPTH_MAX))
            return;
        entry.end = (size_t)(in.at - loading->out->data);
        buf_append(&loading->entries, &entry, sizeof entry);
    }
}

/* What a key << holds: a mapping or a list of them. */
static void spread(Loading *loading, const Entry *merge)
{
    const uint8_t *data = loading->out->data;
    CborReader in = {data + merge->value, data + merge->end};
    CborHead head;

    if (!cbor_head(&in, &head) || head.major != CBOR_ARRAY) {
        list_merged(loading, merge->value);
        return;
    }
    while (!loading->why && !cbor_break(&in)) {
        size_t at = (size_t)(in.at - data);
        if (!cbor_skip(&in, CBOR_DEPTH_MAX))
            return;
        list_merged(loading, at);
    }
}

/* Entries in the order they are to stand in: what was written, then what was merged. */
static int by_rank(const void *a, const void *b)
{
    const Entry *one = a, *other = b;

    if (one->merge != other->merge)
        return one->merge ? 1 : -1;
    return (one->key > other->key) - (one->key < other->key);
}

/* Of entries of one key: the last that was written; else the first that was merged. */
static size_t keep_one_each(Loading *loading, Entry *entries, size_t count)
{
    size_t kept = 0;

    qsort_r(entries, count, sizeof *entries, compare_entries, loading->out);
    for (size_t i = 0, next; i < count; i = next) {
        const Entry *best = &entries[i];
        for (next = i + 1; next < count && same_key(loading->out, best, &entries[next]); next++) {
            if (!entries[next].merge)
                best = &entries[next];
        }
        Entry chosen = *best;
        for (size_t at = i; chosen.merge && at < next; at++)
            chosen = entries[at].merge && entries[at].key < chosen.key ? entries[at] : chosen;
        entries[kept++] = chosen;
    }
    qsort(entries, kept, sizeof *entries, by_rank);
    return kept;
}

/* Merge keys and repeated ones: the mapping is written anew. */
static void rewrite(Loading *loading, const Frame *frame)
{
    Buf *all = &loading->entries, fresh;
    size_t written = all->length / sizeof(Entry);

    for (size_t i = frame->entries; i < written && !loading->why; i++) {
        Entry entry = ((const Entry *)(const void *)all->data)[i];
        if (entry.merge)
            spread(loading, &entry);
    }
    Entry *entries = (Entry *)(void *)all->data + frame->entries;
    size_t total = all->failed ? 0 : all->length / sizeof(Entry) - frame->entries, count = 0;
    for (size_t i = 0; i < total; i++) { /* the keys << themselves go */
        if (i >= written - frame->entries || !entries[i].merge)
            entries[count++] = entries[i];
    }
    count = count > 0 ? keep_one_each(loading, entries, count) : 0;
    buf_init(&fresh, loading->out->allocator, loading->out->limit);
    for (size_t i = 0; i < count; i++)
        buf_append(&fresh, loading->out->data + entries[i].key, entries[i].end - entries[i].key);
    buf_truncate(loading->out, frame->start + 1);
    buf_append(loading->out, fresh.data, fresh.length);
    loading->out->failed = loading->out->failed || fresh.failed || all->failed;
    buf_release(&fresh);
}

static bool has_repeated(Loading *loading, const Frame *frame)
{
    Entry few[16], *sorted = few;
    size_t count = loading->entries.length / sizeof(Entry) - frame->entries;
    const Entry *entries = (const Entry *)(const void *)loading->entries.data + frame->entries;
    bool found = false;

    if (count < 2 || loading->entries.failed)
        return false;
    if (count > COUNT_OF(few))
        sorted = ARENA_ARRAY(loading->arena, Entry, count);
    if (!sorted)
        return false;
    memcpy(sorted, entries, count * sizeof *entries);
    qsort_r(sorted, count, sizeof *sorted, compare_entries, loading->out);
    for (size_t i = 1; i < count && !found; i++)
        found = same_key(loading->out, &sorted[i - 1], &sorted[i]);
    return found;
}

/* ---- nodes ---- */

static size_t begin_anchor(Loading *loading, const unsigned char *name)
{
    Anchor anchor = {0};

    if (!name)
        return 0;
    if (loading->anchors.length / sizeof anchor >= ANCHORS_MOST) {
        fail(loading, "more anchors than the limit");
        return 0;
    }
    anchor.name = arena_string(loading->arena, (const char *)name);
    buf_append(&loading->anchors, &anchor, sizeof anchor);
    return anchor.name && !loading->anchors.failed ? loading->anchors.length / sizeof anchor : 0;
}

static void end_anchor(Loading *loading, size_t number, size_t start)
{
    if (number == 0 || loading->out->failed)
        return;
    Anchor *anchor = (Anchor *)(void *)loading->anchors.data + number - 1;
    anchor->length = loading->out->length - start;
    uint8_t *bytes = arena_push(loading->arena, anchor->length);
    if (bytes)
        memcpy(bytes, loading->out->data + start, anchor->length);
    anchor->bytes = bytes;
}

/* A node was written from `start` on: it is a key, a value, an element, or the whole. */
static void node_done(Loading *loading, size_t start)
{
    Frame *frame = loading->depth > 0 ? &loading->frames[loading->depth - 1] : NULL;

    if (!frame) {
        loading->whole = true;
    } else if (frame->map && frame->wants_value) {
        Entry entry = {frame->key, start, loading->out->length, frame->merge};
        buf_append(&loading->entries, &entry, sizeof entry);
        frame->special = frame->special || frame->merge;
        frame->wants_value = false;
    } else if (frame->map) {
        frame->key = start;
        frame->wants_value = true;
    }
}

static bool wants_key(const Loading *loading)
{
    const Frame *frame = loading->depth > 0 ? &loading->frames[loading->depth - 1] : NULL;

    return frame && frame->map && !frame->wants_value;
}

static void open_frame(Loading *loading, bool map, const unsigned char *anchor)
{
    if (wants_key(loading)) {
        fail(loading, "a key that is no text");
        return;
    }
    if (loading->depth == NESTED_MOST) {
        fail(loading, "nested too deep");
        return;
    }
    loading->frames[loading->depth++] = (Frame){.map = map,
                                                .start = loading->out->length,
                                                .entries = loading->entries.length / sizeof(Entry),
                                                .anchor = begin_anchor(loading, anchor)};
    if (map)
        cbor_put_map_open(loading->out);
    else
        cbor_put_array_open(loading->out);
}

static void close_frame(Loading *loading)
{
    Frame frame = loading->frames[--loading->depth];

    if (frame.map && !loading->out->failed && (frame.special || has_repeated(loading, &frame)))
        rewrite(loading, &frame);
    cbor_put_break(loading->out);
    buf_truncate(&loading->entries, frame.entries * sizeof(Entry));
    end_anchor(loading, frame.anchor, frame.start);
    node_done(loading, frame.start);
}

static void take_scalar(Loading *loading, const yaml_event_t *event)
{
    static const char core[] = "tag:yaml.org,2002:";
    const char *text = (const char *)event->data.scalar.value;
    const char *tag = (const char *)event->data.scalar.tag;
    size_t length = event->data.scalar.length, start = loading->out->length;
    size_t anchor = begin_anchor(loading, event->data.scalar.anchor);
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    bool key = wants_key(loading);

    if (tag && (strncmp(tag, core, sizeof core - 1) != 0 ||
                !is_one_of(tag + sizeof core - 1, strlen(tag + sizeof core - 1),
                           "int float bool null merge")))
        plain = false;
    if (key)
        loading->frames[loading->depth - 1].merge =
            plain && length == 2 && memcmp(text, "<<", 2) == 0;
    if (plain && !key)
        put_plain(loading->out, text, length);
    else
        cbor_put_string(loading->out, text, length);
    end_anchor(loading, anchor, start);
    node_done(loading, start);
}

static void take_alias(Loading *loading, const char *name)
{
    const Anchor *anchors = (const Anchor *)(const void *)loading->anchors.data;
    size_t at = loading->anchors.length / sizeof *anchors, start = loading->out->length;

    while (at > 0 && (!anchors[at - 1].name || strcmp(anchors[at - 1].name, name) != 0))
        at--;
    if (at == 0)
        fail(loading, "an alias to an anchor that is not there");
    else if (!anchors[at - 1].bytes)
        fail(loading, "an anchor that holds itself");
    else if (wants_key(loading) && anchors[at - 1].bytes[0] >> 5 != CBOR_TEXT)
        fail(loading, "a key that is no text");
    if (loading->why)
        return;
    if (wants_key(loading))
        loading->frames[loading->depth - 1].merge = false;
    buf_append(loading->out, anchors[at - 1].bytes, anchors[at - 1].length);
    node_done(loading, start);
}

static void take_event(Loading *loading, const yaml_event_t *event)
{
    loading->mark = event->start_mark;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        take_scalar(loading, event);
        break;
    case YAML_ALIAS_EVENT:
        take_alias(loading, (const char *)event->data.alias.anchor);
        break;
    case YAML_SEQUENCE_START_EVENT:
        open_frame(loading, false, event->data.sequence_start.anchor);
        break;
    case YAML_MAPPING_START_EVENT:
        open_frame(loading, true, event->data.mapping_start.anchor);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_frame(loading);
        break;
    case YAML_STREAM_END_EVENT:
        fail(loading, "there is nothing in it");
        break;
    default:
        break;
    }
}

tn_status yaml_read(Buf *out, Arena *arena, const char *text, size_t length, const char **out_why)
{
    Loading *loading = ARENA_NEW(arena, Loading);
    size_t before = out->length;
    yaml_parser_t parser;

    if (!loading)
        return arena_status(arena);
    *loading = (Loading){.yaml = yaml_open(), .arena = arena, .out = out};
    if (!loading->yaml)
        return TN_ERR_UNAVAILABLE;
    if (!loading->yaml->yaml_parser_initialize(&parser))
        return TN_ERR_NOMEM;
    buf_init(&loading->entries, out->allocator, SIZE_MAX);
    buf_init(&loading->anchors, out->allocator, SIZE_MAX);
    loading->yaml->yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    while (!loading->why && !loading->whole && !out->failed && arena_status(arena) == TN_OK) {
        yaml_event_t event;
        if (!loading->yaml->yaml_parser_parse(&parser, &event)) {
            loading->mark = parser.problem_mark;
            loading->why = parser.error == YAML_MEMORY_ERROR ? "" : "it is not well formed";
            break;
        }
        take_event(loading, &event);
        loading->yaml->yaml_event_delete(&event);
    }
    loading->yaml->yaml_parser_delete(&parser);
    buf_release(&loading->entries);
    buf_release(&loading->anchors);
    tn_status status = buf_status(out) != TN_OK ? buf_status(out) : arena_status(arena);
    if (status == TN_OK && loading->why) {
        status = loading->why[0] ? TN_ERR_ARGUMENT : TN_ERR_NOMEM;
        *out_why = arena_printf(arena, "%s at line %zu, column %zu", loading->why,
                                loading->mark.line + 1, loading->mark.column + 1);
    }
    if (status != TN_OK)
        buf_truncate(out, before);
    return status;
}
