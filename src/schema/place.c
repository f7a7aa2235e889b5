/* Where schemas are in a document: ids, anchors, pointers. Lists in place of recursion. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "uri.h"

/* By name. */
static const Keyword keywords[] = {
    {"$defs", SHAPE_MAP, RULE_KINDS},
    {"$dynamicRef", SHAPE_VALUE, RULE_DYNAMIC_REF},
    {"$recursiveRef", SHAPE_VALUE, RULE_RECURSIVE_REF},
    {"$ref", SHAPE_VALUE, RULE_REF},
    {"additionalItems", SHAPE_SCHEMA, RULE_ELEMENTS},
    {"additionalProperties", SHAPE_SCHEMA, RULE_MEMBERS},
    {"allOf", SHAPE_LIST, RULE_ALL_OF},
    {"anyOf", SHAPE_LIST, RULE_ANY_OF},
    {"const", SHAPE_VALUE, RULE_CONST},
    {"contains", SHAPE_SCHEMA, RULE_CONTAINS},
    {"definitions", SHAPE_MAP, RULE_KINDS},
    {"dependencies", SHAPE_MAP, RULE_DEPENDENCIES},
    {"dependentRequired", SHAPE_VALUE, RULE_DEPENDENT_REQUIRED},
    {"dependentSchemas", SHAPE_MAP, RULE_DEPENDENT_SCHEMAS},
    {"else", SHAPE_SCHEMA, RULE_KINDS},
    {"enum", SHAPE_VALUE, RULE_ENUM},
    {"exclusiveMaximum", SHAPE_VALUE, RULE_EXCLUSIVE_MAXIMUM},
    {"exclusiveMinimum", SHAPE_VALUE, RULE_EXCLUSIVE_MINIMUM},
    {"format", SHAPE_VALUE, RULE_FORMAT},
    {"if", SHAPE_SCHEMA, RULE_IF},
    {"items", SHAPE_EITHER, RULE_ELEMENTS},
    {"maxItems", SHAPE_VALUE, RULE_MAX_ITEMS},
    {"maxLength", SHAPE_VALUE, RULE_MAX_LENGTH},
    {"maxProperties", SHAPE_VALUE, RULE_MAX_PROPERTIES},
    {"maximum", SHAPE_VALUE, RULE_MAXIMUM},
    {"minItems", SHAPE_VALUE, RULE_MIN_ITEMS},
    {"minLength", SHAPE_VALUE, RULE_MIN_LENGTH},
    {"minProperties", SHAPE_VALUE, RULE_MIN_PROPERTIES},
    {"minimum", SHAPE_VALUE, RULE_MINIMUM},
    {"multipleOf", SHAPE_VALUE, RULE_MULTIPLE_OF},
    {"not", SHAPE_SCHEMA, RULE_NOT},
    {"oneOf", SHAPE_LIST, RULE_ONE_OF},
    {"pattern", SHAPE_VALUE, RULE_PATTERN},
    {"patternProperties", SHAPE_MAP, RULE_MEMBERS},
    {"prefixItems", SHAPE_LIST, RULE_ELEMENTS},
    {"properties", SHAPE_MAP, RULE_MEMBERS},
    {"propertyNames", SHAPE_SCHEMA, RULE_PROPERTY_NAMES},
    {"required", SHAPE_VALUE, RULE_REQUIRED},
    {"then", SHAPE_SCHEMA, RULE_KINDS},
    {"type", SHAPE_VALUE, RULE_TYPE},
    {"unevaluatedItems", SHAPE_SCHEMA, RULE_UNEVALUATED_ITEMS},
    {"unevaluatedProperties", SHAPE_SCHEMA, RULE_UNEVALUATED_PROPERTIES},
    {"uniqueItems", SHAPE_VALUE, RULE_UNIQUE_ITEMS},
};

const Keyword *keyword_find(const char *name, size_t length)
{
    size_t low = 0, high = COUNT_OF(keywords);

    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *other = keywords[middle].name;
        int order = strncmp(name, other, length);
        if (order == 0 && other[length] == '\0')
            return &keywords[middle];
        if (order <= 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

void schema_fault(Schema *schema, const char *keyword, const char *reason)
{
    SchemaDocument *document = schema->document;
    SchemaReport *report = document->report;

    schema->faulty = true;
    if (report->count++ >= document->limits.faults)
        return;
    SchemaFault *fault = ARENA_NEW(document->arena, SchemaFault);
    const char *pointer = schema_pointer(document->arena, schema);
    if (!fault || !pointer)
        return;
    if (keyword)
        pointer = arena_printf(document->arena, "%s/%s", pointer, keyword);
    *fault = (SchemaFault){.pointer = pointer ? pointer : "", .reason = reason};
    if (report->last)
        report->last->next = fault;
    else
        report->first = fault;
    report->last = fault;
}

/* Escaped as pointers are; every other character stays. */
static void put_escaped(Buf *buf, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '~' || text[i] == '/')
            buf_append_string(buf, text[i] == '~' ? "~0" : "~1");
        else
            buf_append_byte(buf, (uint8_t)text[i]);
    }
}

const char *schema_pointer(Arena *arena, const Schema *schema)
{
    const Schema *steps[64];
    size_t depth = 0;
    Buf buf;

    buf_init(&buf, arena->allocator, 4096);
    for (; schema && depth < COUNT_OF(steps); schema = schema->up)
        steps[depth++] = schema;
    if (schema && schema->up)
        buf_append_string(&buf, "...");
    while (depth-- > 0) {
        const Schema *step = steps[depth];
        if (step->keyword_length > 0) {
            buf_append_byte(&buf, '/');
            buf_append(&buf, step->keyword, step->keyword_length);
        }
        if (step->indexed || step->name)
            buf_append_byte(&buf, '/');
        if (step->indexed)
            buf_append_uint(&buf, step->name_length);
        else if (step->name)
            put_escaped(&buf, step->name, step->name_length);
    }
    const char *text = arena_text(arena, (const char *)buf.data, buf.length);
    buf_release(&buf);
    return text;
}

/* ---- places ---- */

Schema *schema_place(SchemaDocument *document, Datum *datum, const Schema *up, Resource *resource,
                     const char *keyword, size_t keyword_length)
{
    if (datum->kind != DATUM_OBJECT && datum->kind != DATUM_BOOL)
        return NULL;
    if (datum->note)
        return datum->note;
    Schema *schema = ARENA_NEW(document->arena, Schema);
    if (!schema)
        return NULL;
    *schema = (Schema){.datum = datum,
                       .document = document,
                       .resource = resource,
                       .up = up,
                       .keyword = keyword,
                       .keyword_length = (uint32_t)keyword_length,
                       .ordinal = document->schemas++,
                       .next = document->placing};
    document->placing = schema;
    datum->note = schema;
    return schema;
}

static void place_children(Schema *schema, const Keyword *keyword, Datum *value)
{
    size_t length = strlen(keyword->name);
    uint8_t shape = keyword->shape;
    Schema *child;

    if (shape == SHAPE_EITHER)
        shape = value->kind == DATUM_ARRAY ? SHAPE_LIST : SHAPE_SCHEMA;
    if (shape == SHAPE_SCHEMA) {
        (void)schema_place(schema->document, value, schema, schema->resource, keyword->name,
                           length);
    } else if (value->kind == (shape == SHAPE_LIST ? DATUM_ARRAY : DATUM_OBJECT)) {
        for (uint32_t i = 0; i < value->count; i++) {
            DatumMember *member = shape == SHAPE_LIST ? NULL : &value->members[i];
            child = schema_place(schema->document, member ? &member->value : &value->items[i],
                                 schema, schema->resource, keyword->name, length);
            if (!child)
                continue;
            child->indexed = !member;
            child->name = member ? member->name : NULL;
            child->name_length = member ? member->length : i;
        }
    }
}

/* ---- ids and anchors ---- */

static SchemaDialect dialect_said(const Datum *schema, SchemaDialect before)
{
    static const struct {
        const char *part;
        SchemaDialect dialect;
    } known[] = {{"2020-12", SCHEMA_2020_12},   {"2019-09", SCHEMA_2019_09},
                 {"draft-07", SCHEMA_DRAFT_07}, {"draft-06", SCHEMA_DRAFT_07},
                 {"draft-04", SCHEMA_DRAFT_07}, {"oas/3.1", SCHEMA_OPENAPI_31}};
    const Datum *said = datum_get(schema, "$schema");

    if (before == SCHEMA_OPENAPI_30 || !said || said->kind != DATUM_TEXT)
        return before;
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (memmem(said->text, said->count, known[i].part, strlen(known[i].part)))
            return known[i].dialect;
    }
    return before;
}

/* Ids and anchors are few in honest documents, and searched one by one: so they are limited. */
static bool take_name(Schema *schema)
{
    SchemaDocument *document = schema->document;

    if (document->names < document->limits.names)
        return document->names++, true;
    if (document->names++ == document->limits.names)
        schema_fault(schema, NULL, "more $id and anchors than the limit; the rest are ignored");
    return false;
}

static void add_anchor(Schema *schema, const char *name, size_t length, bool dynamic)
{
    Anchor *anchor = take_name(schema) ? ARENA_NEW(schema->document->arena, Anchor) : NULL;

    if (!anchor)
        return;
    *anchor = (Anchor){.next = schema->document->anchors,
                       .resource = schema->resource,
                       .name = name,
                       .length = (uint32_t)length,
                       .dynamic = dynamic,
                       .schema = schema};
    schema->document->anchors = anchor;
}

/* An id makes a resource, or in draft-07 an anchor. */
static void take_id(Schema *schema)
{
    SchemaDocument *document = schema->document;
    const Datum *id = datum_get(schema->datum, "$id");
    Uri uri;

    if (!id || id->kind != DATUM_TEXT ||
        (dialect_ref_is_alone(schema_dialect(schema)) && datum_get(schema->datum, "$ref")))
        return;
    const Resource *outer = schema->resource;
    if (!uri_resolve(document->arena, outer->base, outer->base_length, id->text, id->count, &uri))
        return;
    if (id->count > 0 && id->text[0] != '#' && (!schema->up || take_name(schema))) {
        Resource *resource = schema->up || outer->root != schema->datum
                                 ? ARENA_NEW(document->arena, Resource)
                                 : schema->resource;
        if (!resource)
            return;
        if (resource != schema->resource) {
            *resource = (Resource){.next = document->resources, .dialect = outer->dialect};
            document->resources = resource;
        }
        resource->root = schema->datum;
        resource->base = uri.text;
        resource->base_length = uri.length;
        schema->resource = resource;
    }
    if (uri.fragment_length > 0 && schema_dialect(schema) == SCHEMA_DRAFT_07)
        add_anchor(schema, uri.fragment, uri.fragment_length, false);
}

static void search_one(Schema *schema)
{
    Datum *datum = schema->datum;

    if (datum->kind != DATUM_OBJECT)
        return;
    take_id(schema);
    if (schema->resource->root == datum)
        schema->resource->dialect = dialect_said(datum, schema->resource->dialect);
    for (uint32_t i = 0; i < datum->count; i++) {
        DatumMember *member = &datum->members[i];
        const Keyword *keyword = keyword_find(member->name, member->length);
        if (keyword && keyword->shape != SHAPE_VALUE)
            place_children(schema, keyword, &member->value);
        if (member->length < 7 || member->name[0] != '$')
            continue;
        bool dynamic = member->length == 14 && memcmp(member->name, "$dynamicAnchor", 14) == 0;
        if (member->value.kind == DATUM_TEXT &&
            (dynamic || (member->length == 7 && memcmp(member->name, "$anchor", 7) == 0)))
            add_anchor(schema, member->value.text, member->value.count, dynamic);
        if (schema->resource->root == datum && member->length == 16 &&
            memcmp(member->name, "$recursiveAnchor", 16) == 0)
            schema->resource->recursive_anchor =
                member->value.kind == DATUM_BOOL && member->value.truth;
    }
}

void schema_search(SchemaDocument *document)
{
    while (document->placing) {
        Schema *schema = document->placing;
        document->placing = schema->next;
        search_one(schema);
    }
}

/* ---- references ---- */

static Datum *step_into(Datum *datum, const char *token, size_t length)
{
    char *end = NULL;

    if (datum->kind == DATUM_OBJECT) {
        const DatumMember *member = datum_member(datum, token, length);
        return member ? (Datum *)(uintptr_t)&member->value : NULL;
    }
    if (datum->kind != DATUM_ARRAY || length == 0 || length > 9 || token[0] < '0' || token[0] > '9')
        return NULL;
    unsigned long index = strtoul(token, &end, 10);
    return end == token + length && index < datum->count ? &datum->items[index] : NULL;
}

/* The schema it leads to may be at a place where none was looked for. */
Schema *schema_by_pointer(SchemaDocument *document, Resource *resource, const char *pointer,
                          size_t length, bool *out_found)
{
    Datum *datum = resource->root;
    const Schema *up = datum->note;
    const char *rest = pointer, *end = pointer + length;
    char *token = arena_push(document->arena, length + 1);

    if (!token)
        return NULL;
    for (const char *at = pointer; at < end;) {
        size_t count = 0;
        for (at++; at < end && *at != '/'; at++) {
            bool escaped = *at == '~' && at + 1 < end && (at[1] == '0' || at[1] == '1');
            token[count++] = !escaped ? *at : at[1] == '0' ? '~' : '/';
            at += escaped;
        }
        token[count] = '\0';
        datum = step_into(datum, token, count);
        *out_found = datum != NULL;
        if (!datum)
            return NULL;
        if ((datum->kind == DATUM_OBJECT || datum->kind == DATUM_BOOL) && datum->note) {
            up = datum->note;
            rest = at;
        }
    }
    if (datum->note)
        return schema_of(datum);
    rest += rest < end;
    const char *last =
        memrchr(rest, '/', (size_t)(end - rest)); /* the name, in token without escapes */
    Schema *schema = schema_place(document, datum, up, up ? up->resource : resource, rest,
                                  (size_t)((last ? last : rest) - rest));
    if (schema) {
        schema->name = token;
        schema->name_length = (uint32_t)strlen(token);
    }
    schema_search(document);
    return schema;
}

static Schema *by_anchor(const SchemaDocument *document, const Resource *resource, SchemaText name,
                         bool *out_dynamic)
{
    for (const Anchor *anchor = document->anchors; anchor; anchor = anchor->next) {
        if (anchor->resource == resource && anchor->length == name.length &&
            memcmp(anchor->name, name.text, name.length) == 0) {
            *out_dynamic = anchor->dynamic;
            return anchor->schema;
        }
    }
    return NULL;
}

Schema *schema_dynamic_anchor(const SchemaDocument *document, const Resource *resource,
                              SchemaText anchor)
{
    bool dynamic = false;
    Schema *schema = by_anchor(document, resource, anchor, &dynamic);
    return dynamic ? schema : NULL;
}

Schema *schema_resolve(Schema *from, const Datum *reference, const char *keyword,
                       SchemaText *out_dynamic)
{
    SchemaDocument *document = from->document;
    Resource *resource = from->resource, *at;
    Schema *schema = NULL;
    bool dynamic = false, found;
    Uri uri;

    if (reference->kind != DATUM_TEXT) {
        schema_fault(from, keyword, "a reference is a text");
        return NULL;
    }
    if (!uri_resolve(document->arena, resource->base, resource->base_length, reference->text,
                     reference->count, &uri))
        return NULL;
    for (at = document->resources; at; at = at->next) {
        if (at->base_length == uri.length && memcmp(at->base, uri.text, uri.length) == 0)
            break;
    }
    if (!at) {
        schema_fault(from, keyword, "refers to another document; nothing is fetched");
        return NULL;
    }
    SchemaText name = {uri.fragment ? uri.fragment : "", uri.fragment_length};
    if (name.length == 0 || name.text[0] == '/')
        schema = schema_by_pointer(document, at, name.text, name.length, &found);
    else
        schema = by_anchor(document, at, name, &dynamic);
    if (dynamic && out_dynamic)
        *out_dynamic = name;
    if (!schema && arena_status(document->arena) == TN_OK)
        schema_fault(from, keyword, "refers to nothing in this document");
    return schema;
}
