/* A schema said as a TypeScript type. */
#include <string.h>

#include "decimal.h"
#include "say.h"
#include "type.h"

/* Objects and arrays inside each other in one declaration; what is deeper gets a name. */
enum { DEPTH_INLINE = 12, MASK_DEPTH = 40 };

bool type_is_over(SchemaTypes *types, const Schema *schema)
{
    if (types->spent <= types->options.type_bytes)
        return false;
    if (!types->cut) {
        bool faulty = schema->faulty;
        types->cut = true;
        schema_fault((Schema *)(uintptr_t)schema, NULL,
                     "the type grew past its limit: from here on it says unknown");
        ((Schema *)(uintptr_t)schema)->faulty = faulty;
    }
    return true;
}

/* ---- names ---- */

static bool know_ordinals(SchemaTypes *types)
{
    uint32_t before = types->ordinals, now = types->document->schemas;

    if (now == before)
        return true;
    Declared **table =
        arena_grow(types->arena, types->by_ordinal, before * sizeof *table, now * sizeof *table);
    uint8_t *masks = arena_grow(types->arena, types->masks, before, now);
    if (!table || !masks)
        return false;
    types->by_ordinal = table;
    types->masks = masks;
    types->ordinals = now;
    return true;
}

/* The name of a part, which is declared from now on. */
static Type named(SchemaTypes *types, const Schema *schema)
{
    Declared *declared = types->by_ordinal[schema->ordinal];

    if (!declared) {
        SchemaText wish = {schema->name, schema->name_length};
        if (schema->indexed)
            wish.text = arena_printf(types->arena, "%.*s %u", (int)schema->keyword_length,
                                     schema->keyword, schema->name_length);
        else if (!schema->name)
            wish = (SchemaText){schema->keyword, schema->keyword_length};
        if (schema->indexed)
            wish.length = wish.text ? strlen(wish.text) : 0;
        declared = ARENA_NEW(types->arena, Declared);
        if (!declared)
            return (Type){0};
        declared->schema = schema;
        declared->name = schema_names_type(types->names, types->options.prefix, wish);
        types->by_ordinal[schema->ordinal] = declared;
        if (types->last)
            types->last->next = declared;
        else
            types->first = declared;
        types->last = declared;
        if (!types->pending)
            types->pending = declared;
    }
    return type_text(types, declared->name, LEVEL_UNIT);
}

/* ---- what types a schema allows at most ---- */

static unsigned kind_of(const Datum *value)
{
    static const uint8_t bits[] = {TYPE_NULL,  TYPE_BOOLEAN, TYPE_FRACTION, TYPE_STRING,
                                   TYPE_ARRAY, TYPE_OBJECT,  TYPE_ALL};

    if (value->kind == DATUM_NUMBER && number_is_integer(value))
        return TYPE_INTEGER;
    return bits[value->kind];
}

/* By its own `type`, `const` and `enum`. */
static unsigned own_mask(const Schema *schema)
{
    unsigned mask = TYPE_ALL, some = 0;
    const Rule *rule = schema_rule(schema, RULE_TYPE);

    if (rule)
        mask &= rule->types;
    if ((rule = schema_rule(schema, RULE_CONST)))
        mask &= kind_of(rule->value);
    if ((rule = schema_rule(schema, RULE_ENUM))) {
        for (uint32_t i = 0; i < rule->value->count; i++)
            some |= kind_of(&rule->value->items[i]);
        mask &= some;
    }
    return mask;
}

/* The types that its keywords are about: what it means where it names no type. */
static unsigned meant_types(const Schema *schema)
{
    unsigned meant = 0;

    for (uint16_t i = 0; i < schema->rule_count; i++) {
        uint8_t kind = schema->rules[i].kind;
        if (kind >= RULE_MULTIPLE_OF && kind <= RULE_EXCLUSIVE_MAXIMUM)
            meant |= TYPE_NUMBER;
        else if (kind >= RULE_MIN_LENGTH && kind <= RULE_PATTERN)
            meant |= TYPE_STRING;
        else if ((kind >= RULE_MIN_PROPERTIES && kind <= RULE_DEPENDENCIES) ||
                 kind == RULE_UNEVALUATED_PROPERTIES)
            meant |= TYPE_OBJECT;
        else if ((kind >= RULE_MIN_ITEMS && kind <= RULE_CONTAINS) ||
                 kind == RULE_UNEVALUATED_ITEMS)
            meant |= TYPE_ARRAY;
    }
    return meant;
}

static unsigned mask_of(SchemaTypes *types, const Schema *schema, unsigned depth)
{
    if (!schema || depth > MASK_DEPTH)
        return TYPE_ALL;
    if (schema->nothing)
        return 0;
    if (types->masks[schema->ordinal] & 128)
        return types->masks[schema->ordinal] & TYPE_ALL;
    types->masks[schema->ordinal] = 128 | TYPE_ALL;
    unsigned mask = own_mask(schema), meant = meant_types(schema);
    if (mask == TYPE_ALL && meant)
        mask = meant;
    for (uint16_t i = 0; i < schema->rule_count; i++) {
        const Rule *rule = &schema->rules[i];
        unsigned some = 0;
        if (rule->kind == RULE_REF || rule->kind == RULE_DYNAMIC_REF ||
            rule->kind == RULE_RECURSIVE_REF) {
            mask &= mask_of(types, rule->reference->target, depth + 1);
        } else if (rule->kind >= RULE_ALL_OF && rule->kind <= RULE_ONE_OF) {
            for (uint32_t at = 0; at < rule->list->count; at++) {
                unsigned one = mask_of(types, rule->list->items[at], depth + 1);
                some |= one;
                mask &= rule->kind == RULE_ALL_OF ? one : TYPE_ALL;
            }
            mask &= rule->kind == RULE_ALL_OF ? TYPE_ALL : some;
        }
    }
    if (schema->nullable)
        mask |= TYPE_NULL;
    types->masks[schema->ordinal] = (uint8_t)(128 | mask);
    return mask;
}

/* ---- the own part ---- */

static Type literals(SchemaTypes *types, const Schema *schema, unsigned mask)
{
    const Rule *one = schema_rule(schema, RULE_CONST), *many = schema_rule(schema, RULE_ENUM);
    const Datum *values = one ? one->value : many->value->items;
    uint32_t count = one ? 1 : many->value->count, kept = 0;
    Type *parts = ARENA_ARRAY(types->arena, Type, (size_t)count + 1);

    for (uint32_t i = 0; parts && i < count; i++) {
        Buf buf;
        if (!(kind_of(&values[i]) & mask))
            continue;
        if (type_is_over(types, schema))
            return type_text(types, "unknown", LEVEL_UNIT);
        buf_init(&buf, types->arena->allocator, SIZE_MAX);
        say_literal(&buf, &values[i]);
        types->spent += buf.length;
        parts[kept++] = type_from(types, &buf, LEVEL_UNIT);
    }
    return parts ? type_union(types, parts, kept) : (Type){0};
}

/* The types of `mask`, each with what is said about it. */
static Type by_types(SchemaTypes *types, const Schema *schema, unsigned mask, unsigned indent,
                     unsigned depth)
{
    Type parts[6];
    uint32_t count = 0;

    if (mask & TYPE_STRING)
        parts[count++] = type_text(types, "string", LEVEL_UNIT);
    if (mask & TYPE_NUMBER)
        parts[count++] = type_text(types, "number", LEVEL_UNIT);
    if (mask & TYPE_BOOLEAN)
        parts[count++] = type_text(types, "boolean", LEVEL_UNIT);
    if (mask & TYPE_ARRAY)
        parts[count++] = type_of_array(types, schema, indent, depth + 1);
    if (mask & TYPE_OBJECT)
        parts[count++] = type_of_object(types, schema, indent, depth + 1);
    if (mask & TYPE_NULL)
        parts[count++] = type_text(types, "null", LEVEL_UNIT);
    return type_union(types, parts, count);
}

/* ---- the parts beside it ---- */

typedef struct Parts {
    Type *items;
    uint32_t count, room;
    bool bounded; /* one of them allows no types but those of the context */
} Parts;

static void add_part(SchemaTypes *types, Parts *parts, Type type)
{
    if (parts->count == parts->room) {
        uint32_t room = parts->room * 2 + 4;
        Type *items = arena_grow(types->arena, parts->items, parts->count * sizeof *items,
                                 room * sizeof *items);
        if (!items)
            return;
        parts->items = items;
        parts->room = room;
    }
    parts->items[parts->count++] = type;
}

/* (if & then) | else: what TypeScript can say of a condition, and never less than it allows. */
static Type by_condition(SchemaTypes *types, const Conditional *conditional, unsigned context,
                         unsigned indent, unsigned depth)
{
    Type both[2] = {type_of_schema(types, conditional->test, context, indent, depth)};

    if (conditional->then) {
        both[1] = type_of_schema(types, conditional->then, context, indent, depth);
        both[0] = type_intersection(types, both, 2);
    }
    both[1] = type_of_schema(types, conditional->otherwise, context, indent, depth);
    return type_union(types, both, 2);
}

/* Is it an array whose elements may refer to what it is in? The compiler gives up on arrays inside
 * tuples inside themselves, unless they have a name. */
static bool may_lead_back(const Schema *schema, unsigned depth)
{
    const Rule *rule = schema ? schema_rule(schema, RULE_ELEMENTS) : NULL;

    if (depth > 0 && schema) {
        for (uint16_t i = 0; i < schema->rule_count; i++) {
            if (schema->rules[i].kind >= RULE_REF && schema->rules[i].kind <= RULE_IF)
                return true;
        }
    }
    if (!rule || depth > 8)
        return rule != NULL;
    for (uint32_t i = 0; i < rule->elements->prefix.count; i++) {
        if (may_lead_back(rule->elements->prefix.items[i], depth + 1))
            return true;
    }
    return may_lead_back(rule->elements->rest, depth + 1);
}

/* Can all of it be read, and what it applies to the same value? A condition that cannot decides
 * nothing. */
static bool is_sure(const Schema *schema, unsigned depth, unsigned *looks)
{
    if (!schema || schema->faulty || depth > 8 || *looks == 0)
        return !schema;
    --*looks;
    for (uint16_t i = 0; i < schema->rule_count; i++) {
        const Rule *rule = &schema->rules[i];
        bool one = true;
        if (rule->kind == RULE_REF)
            one = is_sure(rule->reference->target, depth + 1, looks);
        else if (rule->kind == RULE_NOT)
            one = is_sure(rule->schema, depth + 1, looks);
        else if (rule->kind >= RULE_ALL_OF && rule->kind <= RULE_ONE_OF)
            for (uint32_t at = 0; one && at < rule->list->count; at++)
                one = is_sure(rule->list->items[at], depth + 1, looks);
        if (!one)
            return false;
    }
    return true;
}

static bool says_nothing(const Schema *schema)
{
    return !schema->nothing && schema->rule_count == 0 && !schema->faulty;
}

static void add_rule(SchemaTypes *types, const Schema *schema, const Rule *rule, unsigned context,
                     unsigned indent, unsigned depth, Parts *parts)
{
    Type *alternatives;
    const Schema *target;
    unsigned looks = 500;

    switch ((RuleKind)rule->kind) {
    case RULE_REF:
    case RULE_DYNAMIC_REF:
    case RULE_RECURSIVE_REF:
        target = rule->reference->target;
        if (target) {
            add_part(types, parts, named(types, target));
            parts->bounded = parts->bounded || !(mask_of(types, target, 0) & ~context);
        }
        break;
    case RULE_ALL_OF:
        for (uint32_t i = 0; i < rule->list->count; i++)
            add_part(types, parts,
                     type_of_schema(types, rule->list->items[i], context, indent, depth));
        parts->bounded = parts->bounded || rule->list->count > 0;
        break;
    case RULE_ANY_OF:
    case RULE_ONE_OF:
        alternatives = ARENA_ARRAY(types->arena, Type, (size_t)rule->list->count + 1);
        for (uint32_t i = 0; alternatives && i < rule->list->count; i++)
            alternatives[i] = type_of_schema(types, rule->list->items[i], context, indent, depth);
        if (alternatives)
            add_part(types, parts, type_union(types, alternatives, rule->list->count));
        parts->bounded = true;
        break;
    case RULE_NOT:
        if (says_nothing(rule->schema))
            add_part(types, parts, type_text(types, "never", LEVEL_UNIT));
        break;
    case RULE_IF:
        if (rule->conditional->otherwise &&
            (schema->document->report->count == 0 || is_sure(rule->conditional->test, 0, &looks)))
            add_part(types, parts, by_condition(types, rule->conditional, context, indent, depth));
        break;
    default:
        break;
    }
}

Type type_of_schema(SchemaTypes *types, const Schema *schema, unsigned context, unsigned indent,
                    unsigned depth)
{
    Parts parts = {0};
    Type both[2];

    if (schema && schema->nothing)
        return type_text(types, "never", LEVEL_UNIT);
    if (!schema || type_is_over(types, schema))
        return type_text(types, "unknown", LEVEL_UNIT);
    if (schema->bytes)
        return type_text(types, "Uint8Array", LEVEL_UNIT);
    unsigned mask = own_mask(schema) & context, meant = meant_types(schema);
    if (mask == 0)
        return type_text(types, "never", LEVEL_UNIT);
    bool apart = (types->tuples > 0 && may_lead_back(schema, 0)) ||
                 (depth > DEPTH_INLINE && schema->rule_count > 0);
    if (context == TYPE_ALL && types->writing != schema &&
        (types->by_ordinal[schema->ordinal] || apart))
        return named(types, schema);
    for (uint16_t i = 0; i < schema->rule_count; i++)
        add_rule(types, schema, &schema->rules[i], mask, indent, depth, &parts);
    if (mask == TYPE_ALL && meant)
        mask = meant;
    if (schema_rule(schema, RULE_CONST) || schema_rule(schema, RULE_ENUM))
        add_part(types, &parts, literals(types, schema, mask));
    else if (mask != TYPE_ALL && ((meant & mask) || !parts.bounded))
        add_part(types, &parts, by_types(types, schema, mask, indent, depth));
    both[0] = parts.count > 0 ? type_intersection(types, parts.items, parts.count)
                              : type_text(types, "unknown", LEVEL_UNIT);
    both[1] = type_text(types, "null", LEVEL_UNIT);
    return schema->nullable ? type_union(types, both, 2) : both[0];
}

/* ---- the doors ---- */

tn_status schema_types_new(Arena *arena, SchemaDocument *document, SchemaNames *names,
                           const SchemaTypeOptions *options, SchemaTypes **out_types)
{
    SchemaTypes *types = ARENA_NEW(arena, SchemaTypes);

    if (!types)
        return arena_status(arena);
    *types =
        (SchemaTypes){.arena = arena, .document = document, .names = names, .options = *options};
    if (types->options.description_bytes == 0)
        types->options.description_bytes = 600;
    if (types->options.type_bytes == 0)
        types->options.type_bytes = 256 * 1024;
    *out_types = types;
    return TN_OK;
}

/* Parts that were named and not said yet; saying one may name others. */
static void say_pending(SchemaTypes *types)
{
    while (types->pending && arena_status(types->arena) == TN_OK) {
        types->writing = types->pending->schema;
        Type type = type_of_schema(types, types->writing, TYPE_ALL, 0, 0);
        types->pending->text = type.text;
        types->pending = types->pending->next;
    }
}

tn_status schema_types_text(SchemaTypes *types, const Schema *schema, SchemaText *out_text)
{
    if (!know_ordinals(types))
        return arena_status(types->arena);
    unsigned context = types->options.object ? TYPE_OBJECT : TYPE_ALL;
    types->writing = types->by_ordinal[schema->ordinal] ? NULL : schema;
    Type type = type_of_schema(types, schema, context, 0, 0);
    say_pending(types);
    Declared *own = types->by_ordinal[schema->ordinal];
    if (own && !(mask_of(types, schema, 0) & ~context)) /* it refers to itself: it has a name */
        type = type_text(types, own->name, LEVEL_UNIT);
    TRY(arena_status(types->arena));
    *out_text = (SchemaText){type.text, type.length};
    return TN_OK;
}

tn_status schema_types_name(SchemaTypes *types, const Schema *schema, const char **out_name)
{
    if (!know_ordinals(types))
        return arena_status(types->arena);
    Type type = named(types, schema);
    say_pending(types);
    TRY(arena_status(types->arena));
    *out_name = type.text;
    return TN_OK;
}

tn_status schema_types_declarations(SchemaTypes *types, SchemaText *out_text)
{
    Buf buf;

    buf_init(&buf, types->arena->allocator, SIZE_MAX);
    for (const Declared *at = types->first; at; at = at->next) {
        type_comment(types, at->schema, &buf, 0);
        buf_append_string(&buf, "type ");
        buf_append_string(&buf, at->name);
        buf_append_string(&buf, " = ");
        buf_append_string(&buf, at->text ? at->text : "unknown");
        buf_append_string(&buf, ";\n");
    }
    tn_status status = buf_status(&buf);
    Type type = type_from(types, &buf, LEVEL_UNIT);
    if (status == TN_OK)
        status = arena_status(types->arena);
    if (status == TN_OK)
        *out_text = (SchemaText){type.text, type.length};
    return status;
}

tn_status schema_type(Arena *arena, const Schema *schema, SchemaNames *names,
                      const SchemaTypeOptions *options, SchemaText *out_declarations,
                      SchemaText *out_text)
{
    SchemaTypes *types;

    TRY(schema_types_new(arena, schema->document, names, options, &types));
    TRY(schema_types_text(types, schema, out_text));
    return schema_types_declarations(types, out_declarations);
}
