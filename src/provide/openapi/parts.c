/* The schemas that operations lead to. Each becomes one part of the bundle, or two where what is
 * sent differs from what is got: a member that is only read cannot be required of who writes. */
#include "inside.h"

/* ---- which way a member goes ---- */

bool part_is_binary(const Datum *schema)
{
    const Datum *type = datum_get(schema, "type"), *format = datum_get(schema, "format");
    const Datum *media = datum_get(schema, "contentMediaType");

    if (type && !datum_is(type, "string"))
        return false;
    if (type && format && datum_is(format, "binary"))
        return true;
    return media && media->kind == DATUM_TEXT && !datum_get(schema, "contentEncoding") &&
           content_kind(media->text, media->count) == OPENAPI_CONTENT_BYTES;
}

static bool says(const Datum *schema, const char *keyword)
{
    const Datum *said = schema->kind == DATUM_OBJECT ? datum_get(schema, keyword) : NULL;

    return said && said->kind == DATUM_BOOL && said->truth;
}

bool part_drops(Reading *reading, ApiFile *file, const Datum *object, const Datum *name,
                int direction)
{
    const char *keyword = direction == SENT ? "readOnly" : "writeOnly", *why;
    const Datum *properties = datum_get(object, "properties");
    const DatumMember *member = properties && name->kind == DATUM_TEXT
                                    ? datum_member(properties, name->text, name->count)
                                    : NULL;

    if (!member || member->value.kind != DATUM_OBJECT)
        return false;
    if (says(&member->value, keyword))
        return true;
    if (!datum_get(&member->value, "$ref"))
        return false;
    Node target = node_follow(reading, (Node){(Datum *)(uintptr_t)&member->value, file}, &why);
    return target.at && says(target.at, keyword);
}

static bool differs(Reading *reading, ApiFile *file, const Datum *object)
{
    const Datum *required = datum_get(object, "required");

    if (part_is_binary(object))
        return true;
    for (uint32_t i = 0; required && required->kind == DATUM_ARRAY && i < required->count; i++) {
        if (part_drops(reading, file, object, &required->items[i], SENT) ||
            part_drops(reading, file, object, &required->items[i], GOT))
            return true;
    }
    return false;
}

/* ---- parts ---- */

/* The last word of where it is. */
static SchemaText wish_of(const ApiFile *file, const Datum *reference)
{
    const char *text = reference->text;
    size_t length = reference->count;
    const char *hash = memchr(text, '#', length);
    const char *from = hash && hash + 1 < text + length ? hash + 1 : file->path;
    size_t rest = from == file->path ? strlen(from) : (size_t)(text + length - from);
    const char *slash = memrchr(from, '/', rest);

    if (slash) {
        rest -= (size_t)(slash + 1 - from);
        from = slash + 1;
    }
    const char *dot = from[0] && text != from && (!hash || hash + 1 >= text + length)
                          ? memchr(from, '.', rest)
                          : NULL;
    return (SchemaText){from, dot ? (size_t)(dot - from) : rest};
}

static Part *add_part(Reading *reading, Node node, const Datum *reference)
{
    Part *part = ARENA_NEW(reading->scratch, Part);

    if (!part)
        return NULL;
    part->at = node.at;
    part->file = node.file;
    part->keys[GOT] = schema_names_type(reading->part_names, "", wish_of(node.file, reference));
    part->keys[SENT] = part->keys[GOT];
    node.at->note = part;
    if (reading->last_part)
        reading->last_part->next = part;
    else
        reading->parts = part;
    reading->last_part = part;
    reading->part_count++;
    return part->keys[GOT] ? part : NULL;
}

Part *part_of(Reading *reading, ApiFile *file, const Datum *reference)
{
    const char *why;
    Node node = document_find(reading, file, reference->text, reference->count, &why);

    if (!node.at || (node.at->kind != DATUM_OBJECT && node.at->kind != DATUM_BOOL))
        return NULL;
    return node.at->note ? node.at->note : add_part(reading, node, reference);
}

static void add_referrer(Reading *reading, Part *part, Part *from)
{
    if (!from || (part->referrer_count > 0 && part->referrers[part->referrer_count - 1] == from))
        return;
    if (part->referrer_count == part->referrer_room) {
        uint32_t room = part->referrer_room * 2 + 4;
        Part **grown = arena_grow(reading->scratch, part->referrers,
                                  part->referrer_count * sizeof *grown, room * sizeof *grown);
        if (!grown)
            return;
        part->referrers = grown;
        part->referrer_room = room;
    }
    part->referrers[part->referrer_count++] = from;
}

/* References in a schema, as deep as the document is. `from` is the part it is in, or NULL. */
static void scan(Reading *reading, ApiFile *file, Datum *datum, Inside inside, Part *from)
{
    if (datum->kind == DATUM_ARRAY) {
        for (uint32_t i = 0; i < datum->count; i++)
            scan(reading, file, &datum->items[i], inside, from);
        return;
    }
    if (datum->kind != DATUM_OBJECT)
        return;
    if (inside == INSIDE_SCHEMA) {
        const Datum *reference = datum_get(datum, "$ref");
        Part *part =
            reference && reference->kind == DATUM_TEXT ? part_of(reading, file, reference) : NULL;
        if (part)
            add_referrer(reading, part, from);
        if (from && !from->differs)
            from->differs = differs(reading, file, datum);
    }
    for (uint32_t i = 0; i < datum->count; i++) {
        DatumMember *member = &datum->members[i];
        Inside next = inside == INSIDE_MAP ? INSIDE_SCHEMA : inside_of(member);
        if (next == INSIDE_SCHEMA || next == INSIDE_MAP)
            scan(reading, file, &member->value, next, from);
    }
}

static void scan_schema(Reading *reading, const ApiSchema *schema)
{
    if (schema->node.at)
        scan(reading, schema->node.file, schema->node.at, INSIDE_SCHEMA, NULL);
}

/* What refers to a part that differs differs too. */
static void spread(Reading *reading)
{
    Part **stack = ARENA_ARRAY(reading->scratch, Part *, reading->part_count);
    uint32_t depth = 0;

    for (Part *part = reading->parts; stack && part; part = part->next) {
        if (part->differs)
            stack[depth++] = part;
    }
    while (depth > 0) {
        const Part *part = stack[--depth];
        for (uint32_t i = 0; i < part->referrer_count; i++) {
            Part *from = part->referrers[i];
            if (!from->differs)
                stack[depth++] = from;
            from->differs = true;
        }
    }
}

tn_status parts_find(Reading *reading)
{
    const OpenapiService *service = reading->service;

    reading->part_names = schema_names_new(reading->scratch);
    if (!reading->part_names)
        return arena_status(reading->scratch);
    for (size_t i = 0; i < service->count; i++) {
        const ApiOperation *inner = &reading->operations[i];
        for (size_t k = 0; k < service->operations[i].parameter_count; k++)
            scan_schema(reading, &inner->inputs[k]);
        scan_schema(reading, &inner->body);
        for (uint32_t k = 0; k < service->operations[i].outputs; k++)
            scan_schema(reading, &inner->outputs[k]);
    }
    for (Part *part = reading->parts; part && !reading->scratch->failed; part = part->next)
        scan(reading, part->file, part->at, INSIDE_SCHEMA, part);
    spread(reading);
    for (Part *part = reading->parts; part; part = part->next) {
        if (part->differs)
            part->keys[SENT] =
                schema_names_type(reading->part_names, part->keys[GOT], (SchemaText){"Input", 5});
    }
    reading->file_part = schema_names_type(reading->part_names, "", (SchemaText){"FilePart", 8});
    return arena_status(reading->scratch);
}
