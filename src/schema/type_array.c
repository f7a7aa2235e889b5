/* Arrays and tuples as TypeScript types, and what comments say beside all types. */
#include <string.h>

#include "say.h"
#include "type.h"

static uint64_t bound(const Schema *schema, RuleKind kind, uint64_t otherwise)
{
    const Rule *rule = schema_rule(schema, kind);
    return rule ? rule->count : otherwise;
}

/* `[A, B?, ...C[]]`: elements are there for sure up to minItems; what follows the last is closed by
 * `items: false` or maxItems. */
static Type tuple(SchemaTypes *types, const Schema *schema, const ElementRules *elements,
                  unsigned indent, unsigned depth)
{
    uint64_t least = bound(schema, RULE_MIN_ITEMS, 0);
    uint64_t most = bound(schema, RULE_MAX_ITEMS, UINT64_MAX);
    const Rule *unevaluated = schema_rule(schema, RULE_UNEVALUATED_ITEMS);
    const Schema *rest = elements->rest;
    uint32_t count = elements->prefix.count;
    bool lines = false;
    Buf buf;

    if (!rest && unevaluated && !schema_rule(schema, RULE_CONTAINS) &&
        schema->rules[schema->rule_count - 1].kind >= RULE_UNEVALUATED_ITEMS)
        rest = unevaluated->schema;
    buf_init(&buf, types->arena->allocator, SIZE_MAX);
    buf_append_byte(&buf, '[');
    types->tuples++;
    for (uint32_t i = 0; i < count && i < most; i++) {
        Type type = type_of_schema(types, elements->prefix.items[i], TYPE_ALL, indent, depth);
        bool optional = i >= least, wrapped = optional && type.level > LEVEL_UNIT;
        if (!type.text)
            break;
        lines = lines || type.lines;
        buf_append_string(&buf, i > 0 ? ", " : "");
        buf_append_string(&buf, wrapped ? "(" : "");
        buf_append(&buf, type.text, type.length);
        buf_append_string(&buf, wrapped ? ")" : "");
        buf_append_string(&buf, optional ? "?" : "");
    }
    if (most > count && !(rest && rest->nothing)) {
        Type type = type_of_schema(types, rest, TYPE_ALL, indent, depth);
        bool wrapped = type.level > LEVEL_UNIT;
        buf_append_string(&buf, wrapped ? ", ...(" : ", ...");
        buf_append(&buf, type.text, type.length);
        buf_append_string(&buf, wrapped ? ")[]" : "[]");
    }
    types->tuples--;
    buf_append_byte(&buf, ']');
    return type_from(types, &buf, LEVEL_UNIT);
}

Type type_of_array(SchemaTypes *types, const Schema *schema, unsigned indent, unsigned depth)
{
    const Rule *rule = schema_rule(schema, RULE_ELEMENTS);
    const Schema *rest = rule ? rule->elements->rest : NULL;
    Buf buf;

    if (rule && rule->elements->prefix.count > 0)
        return tuple(types, schema, rule->elements, indent, depth);
    Type type = type_of_schema(types, rest, TYPE_ALL, indent, depth);
    if (!type.text)
        return type;
    buf_init(&buf, types->arena->allocator, SIZE_MAX);
    buf_append_string(&buf, type.level > LEVEL_UNIT ? "(" : "");
    buf_append(&buf, type.text, type.length);
    buf_append_string(&buf, type.level > LEVEL_UNIT ? ")[]" : "[]");
    return type_from(types, &buf, LEVEL_UNIT);
}

/* ---- comments ---- */

enum { DESCRIPTION_SHOWN = 200 };

/* Keywords that are said as they are, with their value. */
static const char *const facts[] = {"format",
                                    "minimum",
                                    "exclusiveMinimum",
                                    "maximum",
                                    "exclusiveMaximum",
                                    "multipleOf",
                                    "minLength",
                                    "maxLength",
                                    "pattern",
                                    "minItems",
                                    "maxItems",
                                    "uniqueItems",
                                    "minProperties",
                                    "maxProperties",
                                    "minContains",
                                    "maxContains",
                                    "dependentRequired",
                                    "contentEncoding",
                                    "contentMediaType",
                                    "unit",
                                    "units",
                                    "x-unit",
                                    "default",
                                    "example",
                                    "examples"};

static void fact(Buf *buf, const char *words)
{
    buf_append_string(buf, buf->length > 0 ? "; " : "");
    buf_append_string(buf, words);
}

static bool is_true(const Datum *datum, const char *name)
{
    const Datum *value = datum_get(datum, name);
    return value && value->kind == DATUM_BOOL && value->truth;
}

/* What the type cannot say and the check enforces, in a word. */
static void put_conditions(const Schema *schema, Buf *buf)
{
    static const struct {
        uint8_t rule;
        const char *words;
    } said[] = {{RULE_CONTAINS, "some items must be of a certain kind"},
                {RULE_NOT, "some values are excluded"},
                {RULE_IF, "what is allowed depends on other members"},
                {RULE_DEPENDENT_SCHEMAS, "what is allowed depends on which members are there"},
                {RULE_DEPENDENCIES, "what is allowed depends on which members are there"},
                {RULE_ONE_OF, "fits exactly one of the alternatives"},
                {RULE_UNEVALUATED_PROPERTIES, "no other members"}};

    for (size_t i = 0; i < COUNT_OF(said); i++) {
        const Rule *rule = schema_rule(schema, said[i].rule);
        if (rule && (rule->kind != RULE_ONE_OF || rule->list->count > 1) &&
            (rule->kind != RULE_NOT || rule->schema->rule_count > 0) &&
            (rule->kind != RULE_UNEVALUATED_PROPERTIES || rule->schema->nothing))
            fact(buf, said[i].words);
    }
}

static void put_names(const Schema *schema, Buf *buf)
{
    const Rule *rule = schema_rule(schema, RULE_MEMBERS);
    const Rule *names = schema_rule(schema, RULE_PROPERTY_NAMES);

    for (uint32_t i = 0; rule && i < rule->members->pattern_count && buf->length < 400; i++) {
        const DatumMember *member = rule->members->patterns[i].member;
        fact(buf, i == 0 ? "names that match " : "");
        say_text(buf, member->name, member->length, 60);
    }
    if (rule && rule->members->pattern_count > 0 && rule->members->additional &&
        rule->members->additional->nothing)
        fact(buf, "no others");
    if (names && names->schema->rule_count > 0 && !schema_rule(names->schema, RULE_ENUM)) {
        fact(buf, "names must fit ");
        say_json(buf, names->schema->datum);
    }
}

static void put_facts(const Schema *schema, Buf *buf)
{
    const Datum *datum = schema->datum;
    const Rule *type = schema_rule(schema, RULE_TYPE);
    bool alone = schema_rule(schema, RULE_REF) &&
                 dialect_ref_is_alone(schema_dialect(schema)); /* not heeded */

    if (type && (type->types & TYPE_NUMBER) == TYPE_INTEGER)
        fact(buf, "integer");
    for (size_t i = 0; i < COUNT_OF(facts); i++) {
        const Datum *value = datum_get(datum, facts[i]);
        if (!value || (alone && keyword_find(facts[i], strlen(facts[i]))))
            continue;
        fact(buf, facts[i]);
        buf_append_byte(buf, ' ');
        say_json(buf, value);
    }
    put_names(schema, buf);
    put_conditions(schema, buf);
    if (is_true(datum, "readOnly"))
        fact(buf, "read only");
    if (is_true(datum, "writeOnly"))
        fact(buf, "write only");
    if (schema->faulty)
        fact(buf, "parts of its schema cannot be read and are not checked");
}

void type_comment(SchemaTypes *types, const Schema *schema, Buf *buf, unsigned indent)
{
    const Datum *datum = schema->datum, *words;
    SchemaText description = {0};
    Buf said;

    if (datum->kind != DATUM_OBJECT)
        return;
    words = datum_get(datum, "description");
    if (!words || words->kind != DATUM_TEXT || words->count == 0)
        words = datum_get(datum, "title");
    if (words && words->kind == DATUM_TEXT)
        description = (SchemaText){words->text, words->count};
    buf_init(&said, types->arena->allocator, SIZE_MAX);
    if (is_true(datum, "deprecated"))
        fact(&said, "deprecated");
    put_facts(schema, &said);
    size_t before = buf->length;
    schema_comment(buf, indent, description, types->options.description_bytes,
                   (SchemaText){(const char *)said.data, said.length});
    types->spent += buf->length - before;
    buf_release(&said);
}

void schema_facts(const Schema *schema, const char *before, Buf *buf)
{
    const Datum *words =
        schema->datum->kind == DATUM_OBJECT ? datum_get(schema->datum, "description") : NULL;
    Buf said;

    buf_init(&said, buf->allocator, SIZE_MAX);
    if (words && words->kind == DATUM_TEXT && words->count > 0)
        say_text(&said, words->text, words->count, DESCRIPTION_SHOWN);
    if (schema->datum->kind == DATUM_OBJECT)
        put_facts(schema, &said);
    if (said.length > 0) {
        buf_append_string(buf, buf->length > 0 ? " " : "");
        buf_append_string(buf, before);
        buf_append(buf, said.data, said.length);
        buf_append_byte(buf, '.');
    }
    buf_release(&said);
}
