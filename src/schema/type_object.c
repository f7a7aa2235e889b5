/* Objects as TypeScript types: members that are named, and what index signatures say of the rest.
 */
#include <string.h>

#include "say.h"
#include "type.h"

/* One line of an object type. */
typedef struct Line {
    SchemaText comment; /* with its indentation and end of line; may be empty */
    SchemaText name;
    bool optional;
    Type type;
} Line;

typedef struct Object {
    SchemaTypes *types;
    const Schema *schema;
    const Members *members; /* may be NULL */
    const Datum *required;  /* name sets; NULL: none */
    const Datum *listed;    /* all names that there are, where the schema lists them */
    Line *lines;
    uint32_t count, left_out;
    bool optional; /* some member may be missing */
    unsigned indent, depth;
} Object;

static bool is_plain(SchemaText name)
{
    for (size_t i = 0; i < name.length; i++) {
        char c = name.text[i];
        if (!((c | 32) >= 'a' && (c | 32) <= 'z') && c != '_' && c != '$' &&
            !(i > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return name.length > 0;
}

static void put_name(Buf *buf, SchemaText name)
{
    if (is_plain(name))
        buf_append(buf, name.text, name.length);
    else
        say_text(buf, name.text, name.length, SIZE_MAX);
}

static void add_line(Object *object, const char *name, uint32_t length, const Schema *schema,
                     Type type)
{
    Line *line = &object->lines[object->count++];

    *line = (Line){.name = {name, length}, .type = type};
    object->types->spent += length + 8;
    if (schema && type.text) {
        Buf buf;
        buf_init(&buf, object->types->arena->allocator, SIZE_MAX);
        type_comment(object->types, schema, &buf, object->indent + 2);
        line->comment = (SchemaText){
            arena_text(object->types->arena, (const char *)buf.data, buf.length), buf.length};
        object->types->arena->failed = object->types->arena->failed || buf.failed;
        buf_release(&buf);
    }
    line->optional = !object->required || !datum_member(object->required, name, length);
    object->optional = object->optional || line->optional;
}

/* What says that other members are of a type: additionalProperties, and unevaluatedProperties where
 * nobody else could have looked at one. Its schema; NULL if nothing says so. */
static const Schema *other_members(const Object *object)
{
    const Rule *rule = schema_rule(object->schema, RULE_UNEVALUATED_PROPERTIES);

    if (object->members && object->members->additional)
        return object->members->additional;
    for (uint16_t i = 0; rule && i < object->schema->rule_count; i++) {
        uint8_t kind = object->schema->rules[i].kind;
        if ((kind >= RULE_REF && kind <= RULE_IF) || kind == RULE_DEPENDENT_SCHEMAS ||
            kind == RULE_DEPENDENCIES)
            return NULL;
    }
    return rule ? rule->schema : NULL;
}

static Type child_type(const Object *object, const Schema *schema)
{
    return type_of_schema(object->types, schema, TYPE_ALL, object->indent + 2, object->depth);
}

/* propertyNames that lists them: each is a member of its own. */
static const Datum *listed_names(const Object *object)
{
    const Rule *rule = schema_rule(object->schema, RULE_PROPERTY_NAMES);
    const Members *members = object->members;

    if (!rule || (members && (members->properties || members->pattern_count > 0)))
        return NULL;
    const Rule *names = schema_rule(rule->schema, RULE_ENUM);
    return names ? datum_name_set(object->types->arena, names->value) : NULL;
}

static void add_named(Object *object)
{
    const Datum *properties = object->members ? object->members->properties : NULL;
    const Datum *listed = object->listed, *required = object->required;
    uint32_t room = (properties ? properties->count : 0) + (listed ? listed->count : 0) +
                    (required ? required->count : 0);
    const Schema *others = other_members(object);

    object->lines = ARENA_ARRAY(object->types->arena, Line, room);
    for (uint32_t i = 0; object->lines && properties && i < properties->count; i++) {
        const DatumMember *member = &properties->members[i];
        const Schema *schema = schema_of(&member->value);
        if (type_is_over(object->types, object->schema)) {
            object->left_out = properties->count - i;
            return;
        }
        add_line(object, member->name, member->length, schema, child_type(object, schema));
    }
    if (!object->lines)
        return;
    Type other = others ? child_type(object, others) : type_text(object->types, "unknown", 0);
    for (uint32_t i = 0; listed && i < listed->count; i++) {
        add_line(object, listed->members[i].name, listed->members[i].length, NULL, other);
    }
    for (uint32_t i = 0; required && i < required->count; i++) {
        const DatumMember *member = &required->members[i];
        bool there = (properties && datum_member(properties, member->name, member->length)) ||
                     (listed && datum_member(listed, member->name, member->length));
        if (!there && !type_is_over(object->types, object->schema))
            add_line(object, member->name, member->length, NULL, other);
    }
}

/* The type behind `[key: string]:`. It holds for the named members too, so it takes in theirs. NULL
 * text: there is none. */
static Type index_type(Object *object)
{
    const Members *members = object->members;
    const Schema *others = other_members(object);
    bool closed = others && others->nothing;
    uint32_t patterns = members ? members->pattern_count : 0, count = 0;

    if (object->left_out > 0)
        return type_text(object->types, "unknown", LEVEL_UNIT);
    if (object->listed)
        return (Type){0};
    if (patterns == 0 && (!others || closed)) {
        bool named = object->count > 0 || (members && members->properties && !closed);
        return named ? (Type){0}
                     : type_text(object->types, closed ? "never" : "unknown", LEVEL_UNIT);
    }
    Type *parts = ARENA_ARRAY(object->types->arena, Type, (size_t)object->count + patterns + 2);
    if (!parts)
        return (Type){0};
    for (uint32_t i = 0; i < patterns; i++)
        parts[count++] = child_type(object, members->patterns[i].schema);
    if (others && !closed)
        parts[count++] = child_type(object, others);
    for (uint32_t i = 0; i < object->count; i++)
        parts[count++] = object->lines[i].type;
    if (object->optional)
        parts[count++] = type_text(object->types, "undefined", LEVEL_UNIT);
    return type_union(object->types, parts, count);
}

static void put_lines(Object *object, Buf *buf, Type index, bool lines)
{
    for (uint32_t i = 0; i <= object->count; i++) {
        const Line *line = i < object->count ? &object->lines[i] : NULL;
        if (!line && !index.text)
            break;
        if (lines && line && line->comment.text)
            buf_append(buf, line->comment.text, line->comment.length);
        if (lines && !line && object->left_out > 0)
            buf_append_string(buf, "/* and more members, left out here */\n");
        for (unsigned blank = 0; lines && blank < object->indent + 2; blank++)
            buf_append_byte(buf, ' ');
        if (line)
            put_name(buf, line->name);
        buf_append_string(buf, !line ? "[key: string]: " : line->optional ? "?: " : ": ");
        const Type *type = line ? &line->type : &index;
        buf_append(buf, type->text ? type->text : "unknown", type->text ? type->length : 7);
        buf_append_string(buf, lines ? ";\n" : "; ");
    }
}

Type type_of_object(SchemaTypes *types, const Schema *schema, unsigned indent, unsigned depth)
{
    const Rule *rule = schema_rule(schema, RULE_MEMBERS);
    Object object = {.types = types,
                     .schema = schema,
                     .members = rule ? rule->members : NULL,
                     .indent = indent,
                     .depth = depth};
    const Rule *required = schema_rule(schema, RULE_REQUIRED);
    Buf buf;

    object.required = required ? datum_name_set(types->arena, required->value) : NULL;
    object.listed = listed_names(&object);
    add_named(&object);
    Type index = index_type(&object);
    if (arena_status(types->arena) != TN_OK)
        return (Type){0};
    /* one line, unless something in it wants more */
    size_t length = index.length;
    bool lines = index.lines || object.left_out > 0;
    buf_init(&buf, types->arena->allocator, SIZE_MAX);
    for (uint32_t i = 0; i < object.count && !lines; i++) {
        length += object.lines[i].type.length + object.lines[i].name.length + 4;
        lines = object.lines[i].type.lines || object.lines[i].comment.length > 0 || length > 90;
    }
    if (object.count == 0 && !index.text) {
        buf_release(&buf);
        return type_text(types, "{}", LEVEL_UNIT);
    }
    buf_append_string(&buf, lines ? "{\n" : "{ ");
    put_lines(&object, &buf, index, lines);
    if (!lines) /* the last "; " */
        buf_truncate(&buf, buf.length - 2);
    for (unsigned blank = 0; lines && blank < indent; blank++)
        buf_append_byte(&buf, ' ');
    buf_append_string(&buf, lines ? "}" : " }");
    return type_from(types, &buf, LEVEL_UNIT);
}
