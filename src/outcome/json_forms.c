/*
 * The `$type` forms read back: {"$type": "date", "value": "..."} and the others of docs/values.md,
 * one function each. A `$type` that is none of ours is plain data: other formats use the name too.
 */
#include <math.h>
#include <string.h>

#include "json.h"
#include "json_read.h"
#include "value.h"

static const JsonToken *token_at(const JsonReader *reader, uint32_t at)
{
    return tape_token(&reader->tape, at);
}

/* A member that must be a string. NULL, and the form is wrong, if it is not. */
const JsonToken *form_string(JsonReader *reader, uint32_t form, const char *name)
{
    uint32_t at = tape_member(&reader->tape, form, name);

    if (at != 0 && token_at(reader, at)->kind == JSON_STRING)
        return token_at(reader, at);
    reader->wrong = true;
    return NULL;
}

/* A member that must be an array; 0, and the form is wrong, if it is not. */
uint32_t form_array(JsonReader *reader, uint32_t form, const char *name)
{
    uint32_t at = tape_member(&reader->tape, form, name);

    if (at != 0 && token_at(reader, at)->kind == JSON_ARRAY)
        return at;
    reader->wrong = true;
    return 0;
}

static ReadFrame children(const JsonReader *reader, uint32_t container, ReadKind kind)
{
    return (ReadFrame){.kind = kind,
                       .at = container + 1,
                       .end = token_at(reader, container)->next,
                       .depth = reader->depth + 1};
}

/* ---- containers ---- */

static bool is_pairs(JsonReader *reader, uint32_t list, bool names)
{
    uint32_t end = token_at(reader, list)->next;

    for (uint32_t at = list + 1; at < end; at = token_at(reader, at)->next) {
        const JsonToken *pair = token_at(reader, at);
        if (pair->kind != JSON_ARRAY || pair->length != 2)
            return false;
        if (!names || token_at(reader, at + 1)->kind == JSON_STRING)
            continue;
        uint32_t type = token_at(reader, at + 1)->kind == JSON_OBJECT
                            ? tape_member(&reader->tape, at + 1, "$type")
                            : 0;
        if (type == 0 || !tape_is(&reader->tape, token_at(reader, type), "text"))
            return false;
    }
    return true;
}

static void put_pairs(JsonReader *reader, uint32_t form, ReadKind kind)
{
    uint32_t entries = form_array(reader, form, "entries");

    if (entries == 0 || !is_pairs(reader, entries, kind == READ_OBJECT_PAIRS)) {
        reader->wrong = true;
        return;
    }
    read_put_shared(reader, form);
    if (kind == READ_MAP_PAIRS)
        cbor_put_tag(reader->out, CBOR_TAG_MAP);
    cbor_put_map(reader->out, token_at(reader, entries)->length);
    read_push(reader, children(reader, entries, kind));
}

static void put_map(JsonReader *reader, uint32_t form)
{
    put_pairs(reader, form, READ_MAP_PAIRS);
}

static void put_object(JsonReader *reader, uint32_t form)
{
    put_pairs(reader, form, READ_OBJECT_PAIRS);
}

static void put_set(JsonReader *reader, uint32_t form)
{
    uint32_t values = form_array(reader, form, "values");

    if (values == 0)
        return;
    read_put_shared(reader, form);
    cbor_put_tag(reader->out, CBOR_TAG_SET);
    cbor_put_array(reader->out, token_at(reader, values)->length);
    read_push(reader, children(reader, values, READ_ITEMS));
}

static void put_regexp(JsonReader *reader, uint32_t form)
{
    const JsonToken *source = form_string(reader, form, "source");
    const JsonToken *flags = form_string(reader, form, "flags");

    if (!source || !flags)
        return;
    cbor_put_tag(reader->out, CBOR_TAG_REGEXP);
    cbor_put_array(reader->out, 2);
    read_put_string(reader, source);
    read_put_string(reader, flags);
}

bool read_is_error_name(const JsonReader *reader, const JsonToken *name)
{
    return tape_is(&reader->tape, name, "$type") || tape_is(&reader->tape, name, "name") ||
           tape_is(&reader->tape, name, "properties");
}

/* The form's own members (message, stack, cause, errors) first, then those of `properties`. */
static void put_error(JsonReader *reader, uint32_t form)
{
    const JsonToken *name = form_string(reader, form, "name");
    uint32_t more = tape_member(&reader->tape, form, "properties");

    if (!name || (more != 0 && token_at(reader, more)->kind != JSON_OBJECT)) {
        reader->wrong = true;
        return;
    }
    uint32_t own = read_unique_members(reader, form) - 2 - (more != 0);
    uint32_t others = more != 0 ? read_unique_members(reader, more) : 0;
    read_put_shared(reader, form);
    cbor_put_tag(reader->out, CBOR_TAG_ERROR);
    cbor_put_array(reader->out, 2);
    read_put_string(reader, name);
    cbor_put_map(reader->out, own + others);
    if (more != 0)
        read_push(reader, children(reader, more, READ_MEMBERS));
    ReadFrame frame = children(reader, form, READ_MEMBERS);
    frame.of_error = true;
    read_push(reader, frame);
}

/* ---- references to what is around ---- */

static Place *place_at(const JsonReader *reader, uint32_t at)
{
    return (Place *)(void *)reader->places.data + at;
}

static void put_circular(JsonReader *reader, uint32_t form)
{
    /* The object that is meant was written before this, so it has its number. */
    uint32_t target = reader->places.length > 0 ? place_at(reader, form)->number : 0;
    uint32_t number = target != 0 ? place_at(reader, target - 1)->number : 0;

    if (number == 0) {
        reader->wrong = true;
        return;
    }
    cbor_put_tag(reader->out, CBOR_TAG_SHARED_REF);
    cbor_put_uint(reader->out, number - 1);
}

static bool read_char(const char **at, const char *end, char wanted)
{
    if (*at == end || **at != wanted)
        return false;
    (*at)++;
    return true;
}

/* One step of a path, of the child that is known to be on the way: ".name", "[3]" or ["name"]. */
static bool match_step(JsonReader *reader, const char **at, const char *end, uint32_t child)
{
    uint32_t parent = place_at(reader, child)->parent - 1;
    const char *begin = *at;

    if (token_at(reader, parent)->kind == JSON_ARRAY) {
        uint64_t index = 0;
        if (!read_char(at, end, '['))
            return false;
        while (*at < end && **at >= '0' && **at <= '9' && index < UINT32_MAX)
            index = index * 10 + (uint64_t)(*(*at)++ - '0');
        return *at > begin + 1 && read_char(at, end, ']') &&
               index == place_at(reader, child)->index;
    }
    const JsonToken *name = token_at(reader, child - 1);
    const char *text = tape_text(&reader->tape, name);
    size_t length = name->length;
    if (read_char(at, end, '.')) {
        if ((size_t)(end - *at) < length || memcmp(*at, text, length) != 0)
            return false;
        *at += length;
        return *at == end || **at == '.' || **at == '[';
    }
    /* A quoted name is compared as it would be written. */
    Buf *quoted = &reader->scratch;
    buf_truncate(quoted, 0);
    buf_append_byte(quoted, '[');
    json_put_string(quoted, text, length);
    buf_append_byte(quoted, ']');
    bool same = !quoted->failed && (size_t)(end - *at) >= quoted->length &&
                memcmp(*at, quoted->data, quoted->length) == 0;
    *at += same ? quoted->length : 0;
    return same;
}

/* The container that a path means, which must be around `form`; plus one, 0 if there is none. */
static uint32_t resolve(JsonReader *reader, uint32_t form, const JsonToken *path)
{
    uint32_t chain[JSON_DEPTH_MAX + 1], depth = 0;
    const char *at = tape_text(&reader->tape, path), *end = at + path->length;

    for (uint32_t step = form; step != 0; step = place_at(reader, step)->parent - 1)
        chain[depth++] = step;
    /* The chain has no root in it: what is left when the path ends is the container. */
    uint32_t container = 0;
    if (!read_char(&at, end, '$'))
        return 0;
    while (at < end) {
        if (depth <= 1 || !match_step(reader, &at, end, chain[depth - 1]))
            return 0;
        container = chain[--depth];
    }
    return container + 1;
}

static void note_places(JsonReader *reader)
{
    uint32_t count = (uint32_t)(reader->tape.tokens.length / sizeof(JsonToken));

    Place *places = (Place *)(void *)buf_extend(&reader->places, count * sizeof(Place));
    if (!places)
        return;
    memset(places, 0, count * sizeof *places);
    for (uint32_t at = 0; at < count; at++) {
        const JsonToken *token = token_at(reader, at);
        bool object = token->kind == JSON_OBJECT;
        if (!object && token->kind != JSON_ARRAY)
            continue;
        uint32_t index = 0;
        for (uint32_t child = at + 1; child < token->next;) {
            child += object;
            places[child].parent = at + 1;
            places[child].index = index++;
            child = token_at(reader, child)->next;
        }
    }
}

/* A form that refers keeps in its own place which container it means. */
void read_mark_circular(JsonReader *reader)
{
    uint32_t count = (uint32_t)(reader->tape.tokens.length / sizeof(JsonToken));

    note_places(reader);
    for (uint32_t at = 1; at < count && !reader->places.failed && !reader->scratch.failed; at++) {
        if (token_at(reader, at)->kind != JSON_OBJECT)
            continue;
        uint32_t type = tape_member(&reader->tape, at, "$type");
        uint32_t path = type != 0 && tape_is(&reader->tape, token_at(reader, type), "circular")
                            ? tape_member(&reader->tape, at, "path")
                            : 0;
        if (path == 0 || token_at(reader, path)->kind != JSON_STRING)
            continue;
        uint32_t target = resolve(reader, at, token_at(reader, path));
        place_at(reader, at)->number = target;
        if (target != 0)
            tape_token(&reader->tape, target - 1)->shared = true;
    }
}

/* ---- which form ---- */

static void put_reference(JsonReader *reader, uint32_t form)
{
    /* Nobody can name an object of the host into being. */
    (void)form;
    reader->wrong = true;
}

bool read_form(JsonReader *reader, uint32_t at)
{
    static const struct {
        const char *name;
        void (*put)(JsonReader *reader, uint32_t form);
    } forms[] = {{"undefined", form_put_undefined},
                 {"number", form_put_number},
                 {"bigint", form_put_bigint},
                 {"date", form_put_date},
                 {"bytes", form_put_bytes},
                 {"text", form_put_text},
                 {"map", put_map},
                 {"set", put_set},
                 {"object", put_object},
                 {"regexp", put_regexp},
                 {"error", put_error},
                 {"circular", put_circular},
                 {"reference", put_reference}};
    uint32_t type = tape_member(&reader->tape, at, "$type");

    if (type == 0 || token_at(reader, type)->kind != JSON_STRING)
        return false;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (tape_is(&reader->tape, token_at(reader, type), forms[i].name)) {
            forms[i].put(reader, at);
            return true;
        }
    }
    const TypedArray *array = typed_array_of_name(tape_text(&reader->tape, token_at(reader, type)),
                                                  token_at(reader, type)->length);
    if (!array || array->tag == CBOR_TAG_ARRAY_BUFFER || array->tag == CBOR_TAG_DATA_VIEW)
        return false;
    form_put_typed_array(reader, at, array);
    return true;
}
