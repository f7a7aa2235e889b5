/* All schemas of a service as one value, which src/schema reads. What is of no use to a schema is
 * left out, and references lead to parts of the bundle. */
#include "cbor.h"
#include "inside.h"

Inside inside_of(const DatumMember *member)
{
    static const struct {
        const char *name;
        Inside inside;
    } known[] = {{"properties", INSIDE_MAP},
                 {"patternProperties", INSIDE_MAP},
                 {"$defs", INSIDE_MAP},
                 {"definitions", INSIDE_MAP},
                 {"dependentSchemas", INSIDE_MAP},
                 {"dependencies", INSIDE_MAP},
                 {"enum", INSIDE_DATA},
                 {"const", INSIDE_DATA},
                 {"default", INSIDE_DATA},
                 {"example", INSIDE_NOTHING},
                 {"examples", INSIDE_NOTHING},
                 {"externalDocs", INSIDE_NOTHING},
                 {"discriminator", INSIDE_NOTHING},
                 {"xml", INSIDE_NOTHING}};

    if (member->length > 2 && memcmp(member->name, "x-", 2) == 0)
        return INSIDE_NOTHING;
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (member->length == strlen(known[i].name) &&
            memcmp(member->name, known[i].name, member->length) == 0)
            return known[i].inside;
    }
    return INSIDE_SCHEMA;
}

/* One value being written: whose file, and which way it goes. */
typedef struct Writing {
    Reading *reading;
    Buf *out;
    ApiFile *file;
    int direction;
} Writing;

static void put_string(Buf *out, const char *text)
{
    cbor_put_string(out, text, strlen(text));
}

static void put_plain(Buf *out, const Datum *datum)
{
    switch ((DatumKind)datum->kind) {
    case DATUM_BOOL:
        cbor_put_simple(out, datum->truth ? CBOR_TRUE : CBOR_FALSE);
        break;
    case DATUM_NUMBER:
        if (datum->big) {
            cbor_put_tag(out, datum->integer->negative ? CBOR_TAG_BIGINT_MINUS : CBOR_TAG_BIGINT);
            cbor_put_bytes(out, datum->integer->bytes, datum->integer->length);
        } else {
            cbor_put_number(out, datum->number);
        }
        break;
    case DATUM_TEXT:
        cbor_put_string(out, datum->text, datum->count);
        break;
    default:
        cbor_put_simple(out, CBOR_NULL);
    }
}

static void put_reference(Writing *writing, const char *key)
{
    const char *text = arena_printf(writing->reading->scratch, "#/parts/%s", key);

    put_string(writing->out, "$ref");
    put_string(writing->out, text ? text : "#");
}

static void want_part(Reading *reading, Part *part, int direction)
{
    if (!part->differs)
        direction = GOT;
    if (part->queued[direction])
        return;
    part->queued[direction] = true;
    if (reading->queue_last[direction])
        reading->queue_last[direction]->after[direction] = part;
    else
        reading->queue[direction] = part;
    reading->queue_last[direction] = part;
}

static void put_datum(Writing *writing, const Datum *datum, Inside inside);

/* Names of required members, without those that go the other way only. */
static void put_required(Writing *writing, const Datum *object, const Datum *names)
{
    put_string(writing->out, "required");
    cbor_put_array_open(writing->out);
    for (uint32_t i = 0; i < names->count; i++) {
        if (!part_drops(writing->reading, writing->file, object, &names->items[i],
                        writing->direction))
            put_plain(writing->out, &names->items[i]);
    }
    cbor_put_break(writing->out);
}

static void put_member(Writing *writing, const Datum *object, const DatumMember *member,
                       Inside inside)
{
    const Datum *value = &member->value;
    Inside next = inside == INSIDE_SCHEMA ? inside_of(member)
                  : inside == INSIDE_MAP  ? INSIDE_SCHEMA
                                          : INSIDE_DATA;

    if (next == INSIDE_NOTHING)
        return;
    if (inside == INSIDE_SCHEMA && member->length == 4 && memcmp(member->name, "$ref", 4) == 0 &&
        value->kind == DATUM_TEXT) {
        Part *part = part_of(writing->reading, writing->file, value);
        if (part) {
            put_reference(writing, part->keys[writing->direction]);
            want_part(writing->reading, part, writing->direction);
            return;
        }
    }
    if (inside == INSIDE_SCHEMA && value->kind == DATUM_ARRAY && member->length == 8 &&
        memcmp(member->name, "required", 8) == 0) {
        put_required(writing, object, value);
        return;
    }
    cbor_put_string(writing->out, member->name, member->length);
    put_datum(writing, value, next);
}

static void put_file_reference(Writing *writing)
{
    cbor_put_map(writing->out, 1);
    put_reference(writing, writing->reading->file_part);
    writing->reading->file_used = true;
}

static void put_datum(Writing *writing, const Datum *datum, Inside inside)
{
    if (datum->kind == DATUM_ARRAY) {
        cbor_put_array_open(writing->out);
        for (uint32_t i = 0; i < datum->count; i++)
            put_datum(writing, &datum->items[i], inside);
        cbor_put_break(writing->out);
    } else if (datum->kind != DATUM_OBJECT) {
        put_plain(writing->out, datum);
    } else if (inside == INSIDE_SCHEMA && writing->direction == SENT && part_is_binary(datum)) {
        put_file_reference(writing);
    } else {
        cbor_put_map_open(writing->out);
        for (uint32_t i = 0; i < datum->count; i++)
            put_member(writing, datum, &datum->members[i], inside);
        cbor_put_break(writing->out);
    }
}

/* ---- what an operation takes ---- */

static void put_bytes(Buf *out, uint8_t kind)
{
    bool text = kind != BYTES_ONLY;

    if (kind == BYTES_OR_TEXT) {
        cbor_put_map(out, 1);
        put_string(out, "anyOf");
        cbor_put_array(out, 2);
    }
    if (kind != TEXT_ONLY) {
        cbor_put_map(out, 1);
        put_string(out, "format");
        put_string(out, "x-tenon-bytes");
    }
    if (text) {
        cbor_put_map(out, 1);
        put_string(out, "type");
        put_string(out, "string");
    }
}

static void put_words(Writing *writing, const ApiSchema *schema)
{
    if (schema->description.length > 0) {
        put_string(writing->out, "description");
        cbor_put_string(writing->out, schema->description.text, schema->description.length);
    }
    if (schema->deprecated) {
        put_string(writing->out, "deprecated");
        cbor_put_simple(writing->out, CBOR_TRUE);
    }
}

/* A schema with what is said beside it. */
static void put_schema(Writing *writing, const ApiSchema *schema)
{
    const Datum *datum = schema->node.at;
    bool words = schema->description.length > 0 || schema->deprecated;
    bool whole =
        datum && (datum->kind != DATUM_OBJECT || datum_get(datum, "$ref") || part_is_binary(datum));

    writing->file = schema->node.file;
    if (!words && !schema->bytes && datum) {
        put_datum(writing, datum, INSIDE_SCHEMA);
        return;
    }
    cbor_put_map_open(writing->out);
    if (schema->bytes || whole) {
        put_string(writing->out, "allOf");
        cbor_put_array(writing->out, 1);
        if (schema->bytes)
            put_bytes(writing->out, schema->bytes);
        else
            put_datum(writing, datum, INSIDE_SCHEMA);
    }
    for (uint32_t i = 0; !schema->bytes && !whole && datum && i < datum->count; i++) {
        const DatumMember *member = &datum->members[i];
        if (member->length != 10 || memcmp(member->name, "deprecated", 10) != 0)
            if (schema->description.length == 0 || member->length != 11 ||
                memcmp(member->name, "description", 11) != 0)
                put_member(writing, datum, member, INSIDE_SCHEMA);
    }
    put_words(writing, schema);
    cbor_put_break(writing->out);
}

static void put_input(Writing *writing, const OpenapiOperation *operation,
                      const ApiOperation *inner)
{
    Buf *out = writing->out;

    writing->direction = SENT;
    cbor_put_map_open(out);
    put_string(out, "type");
    put_string(out, "object");
    put_string(out, "additionalProperties");
    cbor_put_simple(out, CBOR_FALSE);
    put_string(out, "properties");
    cbor_put_map_open(out);
    for (size_t i = 0; i < operation->parameter_count; i++) {
        put_string(out, operation->parameters[i].member);
        put_schema(writing, &inner->inputs[i]);
    }
    if (operation->body.kind != OPENAPI_NO_CONTENT) {
        put_string(out, "body");
        put_schema(writing, &inner->body);
    }
    cbor_put_break(out);
    put_string(out, "required");
    cbor_put_array_open(out);
    for (size_t i = 0; i < operation->parameter_count; i++) {
        if (operation->parameters[i].required)
            put_string(out, operation->parameters[i].member);
    }
    if (operation->body.required)
        put_string(out, "body");
    cbor_put_break(out);
    cbor_put_break(out);
}

static void put_operation(Writing *writing, const OpenapiOperation *operation,
                          const ApiOperation *inner)
{
    put_string(writing->out, operation->identifier);
    cbor_put_map(writing->out, 2);
    put_string(writing->out, "input");
    put_input(writing, operation, inner);
    put_string(writing->out, "output");
    writing->direction = GOT;
    cbor_put_array(writing->out, operation->outputs);
    for (uint32_t i = 0; i < operation->outputs; i++)
        put_schema(writing, &inner->outputs[i]);
}

/* ---- the whole ---- */

/* What a file in a form may be: its bytes, its text, or these with a name and a type. */
static void put_file_part(Writing *writing)
{
    Buf *out = writing->out;

    put_string(out, writing->reading->file_part);
    cbor_put_map(out, 2);
    put_string(out, "description");
    put_string(out, "A file: its bytes or its text, or these with a name and a media type.");
    put_string(out, "anyOf");
    cbor_put_array(out, 2);
    put_bytes(out, BYTES_OR_TEXT);
    cbor_put_map(out, 4);
    put_string(out, "type");
    put_string(out, "object");
    put_string(out, "required");
    cbor_put_array(out, 1);
    put_string(out, "data");
    put_string(out, "additionalProperties");
    cbor_put_simple(out, CBOR_FALSE);
    put_string(out, "properties");
    cbor_put_map(out, 3);
    put_string(out, "data");
    put_bytes(out, BYTES_OR_TEXT);
    static const char *const texts[] = {"name", "type"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        put_string(out, texts[i]);
        cbor_put_map(out, 1);
        put_string(out, "type");
        put_string(out, "string");
    }
}

/* Parts that were referred to; writing one may want others. */
static void put_parts(Writing *writing)
{
    Reading *reading = writing->reading;
    const Part *done[2] = {NULL, NULL};
    bool more = true;

    while (more && !writing->out->failed) {
        more = false;
        for (int direction = SENT; direction <= GOT; direction++) {
            const Part *next =
                done[direction] ? done[direction]->after[direction] : reading->queue[direction];
            if (!next)
                continue;
            more = true;
            done[direction] = next;
            writing->direction = direction;
            writing->file = next->file;
            put_string(writing->out, next->keys[direction]);
            put_datum(writing, next->at, INSIDE_SCHEMA);
        }
    }
    if (reading->file_used)
        put_file_part(writing);
}

tn_status bundle_write(Reading *reading)
{
    OpenapiService *service = reading->service;
    Writing writing = {.reading = reading, .out = &service->bytes};
    Buf *out = writing.out;

    buf_init(out, reading->arena->allocator, (size_t)4 * DOCUMENT_BYTES_MOST);
    cbor_put_map(out, 2);
    put_string(out, "functions");
    cbor_put_map(out, service->count);
    for (size_t i = 0; i < service->count; i++)
        put_operation(&writing, &service->operations[i], &reading->operations[i]);
    put_string(out, "parts");
    cbor_put_map_open(out);
    put_parts(&writing);
    cbor_put_break(out);
    TRY(buf_status(out));
    service->schemas = (tn_value){out->data, out->data, out->data + out->length};
    return TN_OK;
}
