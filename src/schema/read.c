/* Keywords read into rules. A keyword that makes no sense is reported and left out: its neighbours
 * still mean what they say. */
#include <math.h>
#include <string.h>

#include "decimal.h"
#include "graph.h"

typedef struct Reading {
    SchemaDocument *document;
    Schema *schema;
    Rule rules[RULE_KINDS];
    bool has[RULE_KINDS];
} Reading;

static const Datum *keyword_value(const Reading *reading, const char *name)
{
    return datum_get(reading->schema->datum, name);
}

static bool fault(Reading *reading, const char *keyword, const char *reason)
{
    schema_fault(reading->schema, keyword, reason);
    return false;
}

/* A schema inside this one is wanted: it will be read too. */
static Schema *want(Reading *reading, const Datum *datum, const char *keyword)
{
    Schema *schema = schema_of(datum);

    if (!schema) {
        if (arena_status(reading->document->arena) == TN_OK)
            (void)fault(reading, keyword, "a schema is an object, true or false");
        return NULL;
    }
    if (schema->state == SCHEMA_PLACED) {
        schema->state = SCHEMA_WAITING;
        schema->next = reading->document->waiting;
        reading->document->waiting = schema;
    }
    return schema;
}

static Schema *want_keyword(Reading *reading, const char *keyword)
{
    const Datum *value = keyword_value(reading, keyword);
    return value ? want(reading, value, keyword) : NULL;
}

static bool want_list(Reading *reading, const Datum *value, const char *keyword, SchemaList *out)
{
    if (value->kind != DATUM_ARRAY)
        return fault(reading, keyword, "is to be a list of schemas");
    out->items = ARENA_ARRAY(reading->document->arena, Schema *, value->count);
    for (uint32_t i = 0; out->items && i < value->count; i++)
        out->items[i] = want(reading, &value->items[i], keyword);
    out->count = out->items ? value->count : 0;
    return out->items != NULL;
}

/* All values of an object of schemas are wanted. */
static bool want_map(Reading *reading, const Datum *value, const char *keyword)
{
    if (value->kind != DATUM_OBJECT)
        return fault(reading, keyword, "is to be an object of schemas");
    for (uint32_t i = 0; i < value->count; i++)
        (void)want(reading, &value->members[i].value, keyword);
    return true;
}

/* ---- one keyword each: true if the rule stands ---- */

typedef bool ReadRule(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out);

static uint8_t type_bits(const Datum *name)
{
    static const struct {
        const char *name;
        uint8_t bits;
    } types[] = {{"object", TYPE_OBJECT}, {"string", TYPE_STRING},   {"number", TYPE_NUMBER},
                 {"array", TYPE_ARRAY},   {"integer", TYPE_INTEGER}, {"boolean", TYPE_BOOLEAN},
                 {"null", TYPE_NULL}};

    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (datum_is(name, types[i].name))
            return types[i].bits;
    }
    return 0;
}

static bool read_type(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    uint8_t bits = 0;

    if (value->kind != DATUM_ARRAY) {
        bits = type_bits(value);
    } else {
        for (uint32_t i = 0; i < value->count; i++) {
            uint8_t one = type_bits(&value->items[i]);
            if (one == 0)
                return fault(reading, keyword->name, "names a type that JSON does not have");
            bits |= one;
        }
    }
    out->types = bits;
    return bits != 0 || fault(reading, keyword->name, "names a type that JSON does not have");
}

static bool read_any(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    (void)reading, (void)keyword;
    out->value = value;
    return true;
}

static bool read_enum(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    out->value = value;
    return value->kind == DATUM_ARRAY || fault(reading, keyword->name, "is to be a list of values");
}

static bool read_number(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    /* draft-04 and OpenAPI 3.0: `exclusiveMinimum: true` sharpens `minimum` */
    bool exclusive = out->kind == RULE_EXCLUSIVE_MINIMUM || out->kind == RULE_EXCLUSIVE_MAXIMUM;
    if (exclusive && value->kind == DATUM_BOOL) {
        const Datum *bound =
            keyword_value(reading, out->kind == RULE_EXCLUSIVE_MINIMUM ? "minimum" : "maximum");
        if (!value->truth || !bound)
            return false;
        value = bound;
    }
    if (value->kind != DATUM_NUMBER)
        return fault(reading, keyword->name, "is to be a number");
    if (out->kind == RULE_MULTIPLE_OF && !(value->number > 0))
        return fault(reading, keyword->name, "is to be above 0");
    out->value = value;
    return true;
}

static bool read_count(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    if (value->kind != DATUM_NUMBER || value->number < 0 || !number_is_integer(value))
        return fault(reading, keyword->name, "is to be an integer from 0 on");
    out->count = value->number < 1e18 ? (uint64_t)value->number : (uint64_t)1e18;
    return true;
}

static const Pattern *take_pattern(Reading *reading, const char *keyword, const char *text,
                                   size_t length)
{
    SchemaDocument *document = reading->document;
    const char *problem = NULL;
    Pattern *pattern = NULL;

    if (length > document->limits.pattern_bytes || document->patterns >= document->limits.patterns)
        problem = "a pattern that is too long, or one too many; it is not enforced";
    else if (pattern_new(document->arena, text, length, &pattern, &problem) == TN_OK)
        document->patterns++;
    if (problem)
        (void)fault(reading, keyword, problem);
    return pattern;
}

static bool read_pattern(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    if (value->kind != DATUM_TEXT)
        return fault(reading, keyword->name, "is to be a text");
    out->pattern = take_pattern(reading, keyword->name, value->text, value->count);
    return out->pattern != NULL;
}

static bool read_format(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    out->value = value;
    return value->kind == DATUM_TEXT || fault(reading, keyword->name, "is to be a text");
}

static bool texts_only(const Datum *list)
{
    for (uint32_t i = 0; list->kind == DATUM_ARRAY && i < list->count; i++) {
        if (list->items[i].kind != DATUM_TEXT)
            return false;
    }
    return list->kind == DATUM_ARRAY;
}

static bool read_required(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    out->value = value;
    if (value->kind == DATUM_BOOL) /* draft-03, still written: says nothing here */
        return false;
    return texts_only(value) || fault(reading, keyword->name, "is to be a list of names");
}

static bool read_dependent_required(Reading *reading, const Keyword *keyword, const Datum *value,
                                    Rule *out)
{
    out->value = value;
    for (uint32_t i = 0; value->kind == DATUM_OBJECT && i < value->count; i++) {
        if (!texts_only(&value->members[i].value))
            return fault(reading, keyword->name, "is to hold lists of names");
    }
    return value->kind == DATUM_OBJECT ||
           fault(reading, keyword->name, "is to be an object of lists of names");
}

static bool read_dependencies(Reading *reading, const Keyword *keyword, const Datum *value,
                              Rule *out)
{
    out->value = value;
    if (value->kind != DATUM_OBJECT)
        return fault(reading, keyword->name, "is to be an object");
    for (uint32_t i = 0; i < value->count; i++) {
        const Datum *one = &value->members[i].value;
        if (one->kind != DATUM_ARRAY)
            (void)want(reading, one, keyword->name);
        else if (!texts_only(one))
            return fault(reading, keyword->name, "is to hold schemas or lists of names");
    }
    return true;
}

static bool read_map(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    out->value = value;
    return want_map(reading, value, keyword->name);
}

static void read_patterns(Reading *reading, const Datum *value, Members *members)
{
    members->patterns = ARENA_ARRAY(reading->document->arena, PatternMember, value->count);
    for (uint32_t i = 0; members->patterns && i < value->count; i++) {
        const DatumMember *member = &value->members[i];
        PatternMember *pattern = &members->patterns[members->pattern_count++];
        pattern->member = member;
        pattern->schema = want(reading, &member->value, "patternProperties");
        pattern->pattern = take_pattern(reading, "patternProperties", member->name, member->length);
        members->unsure = members->unsure || !pattern->pattern;
    }
}

/* Three keywords, one rule: met once for each, made at the first. */
static bool read_members(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    (void)keyword;
    if (reading->has[RULE_MEMBERS])
        return true;
    Members *members = ARENA_NEW(reading->document->arena, Members);
    if (!members)
        return false;
    value = keyword_value(reading, "properties");
    if (value && want_map(reading, value, "properties"))
        members->properties = value;
    value = keyword_value(reading, "patternProperties");
    if (value && want_map(reading, value, "patternProperties"))
        read_patterns(reading, value, members);
    members->additional = want_keyword(reading, "additionalProperties");
    out->members = members;
    return true;
}

static bool read_elements(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    (void)keyword;
    if (reading->has[RULE_ELEMENTS])
        return true;
    ElementRules *elements = ARENA_NEW(reading->document->arena, ElementRules);
    if (!elements)
        return false;
    const Datum *items = keyword_value(reading, "items");
    value = keyword_value(reading, "prefixItems");
    if (value && dialect_has_prefix(schema_dialect(reading->schema))) {
        (void)want_list(reading, value, "prefixItems", &elements->prefix);
        if (items)
            elements->rest = want(reading, items, "items");
    } else if (items && items->kind == DATUM_ARRAY) { /* the form of before, in any dialect */
        (void)want_list(reading, items, "items", &elements->prefix);
        elements->rest = want_keyword(reading, "additionalItems");
    } else if (items) {
        elements->rest = want(reading, items, "items");
    }
    out->elements = elements;
    return true;
}

static bool read_contains(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    Contains *contains = ARENA_NEW(reading->document->arena, Contains);
    const Datum *least = keyword_value(reading, "minContains");
    const Datum *most = keyword_value(reading, "maxContains");
    static const Keyword names[] = {{"minContains", 0, 0}, {"maxContains", 0, 0}};
    bool counted = schema_dialect(reading->schema) != SCHEMA_DRAFT_07;
    Rule count = {0};

    if (!contains)
        return false;
    contains->schema = want(reading, value, keyword->name);
    contains->least = 1;
    contains->most = UINT64_MAX;
    if (least && counted && read_count(reading, &names[0], least, &count))
        contains->least = count.count;
    if (most && counted && read_count(reading, &names[1], most, &count))
        contains->most = count.count;
    out->contains = contains;
    return contains->schema != NULL;
}

static bool read_schema(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    out->schema = want(reading, value, keyword->name);
    return out->schema != NULL;
}

static bool read_list(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    out->list = ARENA_NEW(reading->document->arena, SchemaList);
    return out->list && want_list(reading, value, keyword->name, out->list) && out->list->count > 0;
}

static bool read_unique(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    (void)out;
    return value->kind == DATUM_BOOL ? value->truth
                                     : fault(reading, keyword->name, "is to be true or false");
}

static bool read_if(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    Conditional *conditional = ARENA_NEW(reading->document->arena, Conditional);

    if (!conditional)
        return false;
    conditional->test = want(reading, value, keyword->name);
    conditional->then = want_keyword(reading, "then");
    conditional->otherwise = want_keyword(reading, "else");
    out->conditional = conditional;
    return conditional->test != NULL;
}

static bool read_reference(Reading *reading, const Keyword *keyword, const Datum *value, Rule *out)
{
    Reference *reference = ARENA_NEW(reading->document->arena, Reference);
    SchemaText dynamic = {0};

    if (!reference)
        return false;
    Schema *target = schema_resolve(reading->schema, value, keyword->name,
                                    out->kind == RULE_DYNAMIC_REF ? &dynamic : NULL);
    reference->target = target ? want(reading, target->datum, keyword->name) : NULL;
    reference->anchor = dynamic;
    reference->dynamic = dynamic.length > 0 || (out->kind == RULE_RECURSIVE_REF && target &&
                                                target->resource->root == target->datum &&
                                                target->resource->recursive_anchor);
    reading->document->dynamic = reading->document->dynamic || reference->dynamic;
    out->reference = reference;
    return reference->target != NULL;
}

static ReadRule *const readers[RULE_KINDS] = {
    [RULE_TYPE] = read_type,
    [RULE_CONST] = read_any,
    [RULE_ENUM] = read_enum,
    [RULE_MULTIPLE_OF] = read_number,
    [RULE_MINIMUM] = read_number,
    [RULE_MAXIMUM] = read_number,
    [RULE_EXCLUSIVE_MINIMUM] = read_number,
    [RULE_EXCLUSIVE_MAXIMUM] = read_number,
    [RULE_MIN_LENGTH] = read_count,
    [RULE_MAX_LENGTH] = read_count,
    [RULE_PATTERN] = read_pattern,
    [RULE_FORMAT] = read_format,
    [RULE_MIN_PROPERTIES] = read_count,
    [RULE_MAX_PROPERTIES] = read_count,
    [RULE_REQUIRED] = read_required,
    [RULE_MEMBERS] = read_members,
    [RULE_PROPERTY_NAMES] = read_schema,
    [RULE_DEPENDENT_REQUIRED] = read_dependent_required,
    [RULE_DEPENDENT_SCHEMAS] = read_map,
    [RULE_DEPENDENCIES] = read_dependencies,
    [RULE_MIN_ITEMS] = read_count,
    [RULE_MAX_ITEMS] = read_count,
    [RULE_UNIQUE_ITEMS] = read_unique,
    [RULE_ELEMENTS] = read_elements,
    [RULE_CONTAINS] = read_contains,
    [RULE_REF] = read_reference,
    [RULE_DYNAMIC_REF] = read_reference,
    [RULE_RECURSIVE_REF] = read_reference,
    [RULE_ALL_OF] = read_list,
    [RULE_ANY_OF] = read_list,
    [RULE_ONE_OF] = read_list,
    [RULE_NOT] = read_schema,
    [RULE_IF] = read_if,
    [RULE_UNEVALUATED_ITEMS] = read_schema,
    [RULE_UNEVALUATED_PROPERTIES] = read_schema,
};

/* ---- one schema ---- */

static bool known_in(SchemaDialect dialect, RuleKind kind)
{
    switch ((int)kind) {
    case RULE_RECURSIVE_REF:
        return dialect == SCHEMA_2019_09;
    case RULE_DYNAMIC_REF:
        return dialect_has_prefix(dialect);
    case RULE_DEPENDENT_REQUIRED:
    case RULE_DEPENDENT_SCHEMAS:
    case RULE_UNEVALUATED_ITEMS:
    case RULE_UNEVALUATED_PROPERTIES:
        return dialect != SCHEMA_DRAFT_07 && dialect != SCHEMA_OPENAPI_30;
    default:
        return true;
    }
}

static void read_keyword(Reading *reading, const DatumMember *member)
{
    const Keyword *keyword = keyword_find(member->name, member->length);

    if (!keyword || keyword->rule == RULE_KINDS ||
        !known_in(schema_dialect(reading->schema), keyword->rule))
        return;
    Rule rule = reading->rules[keyword->rule];
    rule.kind = keyword->rule;
    if (readers[keyword->rule](reading, keyword, &member->value, &rule)) {
        reading->rules[keyword->rule] = rule;
        reading->has[keyword->rule] = true;
    }
}

static void keep_rules(Reading *reading)
{
    Schema *schema = reading->schema;
    uint16_t count = 0;

    for (unsigned i = 0; i < RULE_KINDS; i++)
        count = (uint16_t)(count + reading->has[i]);
    schema->rules = ARENA_ARRAY(reading->document->arena, Rule, count);
    for (unsigned i = 0; schema->rules && i < RULE_KINDS; i++) {
        if (reading->has[i])
            schema->rules[schema->rule_count++] = reading->rules[i];
    }
    schema->unevaluated =
        reading->has[RULE_UNEVALUATED_ITEMS] || reading->has[RULE_UNEVALUATED_PROPERTIES];
}

static void read_one(SchemaDocument *document, Schema *schema)
{
    Reading reading = {.document = document, .schema = schema};
    const Datum *datum = schema->datum;

    schema->state = SCHEMA_READ;
    schema->next = document->read;
    document->read = schema;
    if (datum->kind == DATUM_BOOL) {
        schema->nothing = !datum->truth;
        return;
    }
    const Datum *nullable = datum_get(datum, "nullable");
    schema->nullable = nullable && nullable->kind == DATUM_BOOL && nullable->truth;
    const Datum *format = datum_get(datum, "format");
    schema->bytes =
        format && schema_dialect(schema) >= SCHEMA_OPENAPI_30 && datum_is(format, "x-tenon-bytes");
    const DatumMember *alone =
        dialect_ref_is_alone(schema_dialect(schema)) ? datum_member(datum, "$ref", 4) : NULL;
    for (uint32_t i = 0; !alone && i < datum->count; i++)
        read_keyword(&reading, &datum->members[i]);
    if (alone)
        read_keyword(&reading, alone);
    keep_rules(&reading);
}

void schema_read_all(SchemaDocument *document, Schema *schema)
{
    Reading reading = {.document = document, .schema = schema};

    (void)want(&reading, schema->datum, NULL);
    while (document->waiting) {
        Schema *next = document->waiting;
        document->waiting = next->next;
        read_one(document, next);
    }
}
