/* Rules of objects. */
#include <string.h>

#include "check.h"

static SchemaText name_of(const DatumMember *member)
{
    return (SchemaText){member->name, member->length};
}

/* The names that an object may have, for one who used another. */
static const char *known_names(Check *check, const Members *members)
{
    Buf buf;

    buf_init(&buf, check->arena->allocator, 400);
    buf_append_string(&buf, "no property of this name");
    if (members && members->properties && members->properties->count > 0) {
        const Datum *properties = members->properties;
        buf_append_string(&buf, " (there are: ");
        uint32_t i = 0;
        for (; i < properties->count && buf.length < 250; i++) {
            SchemaText name = name_of(&properties->members[i]);
            buf_append_string(&buf, i > 0 ? ", " : "");
            buf_append_string(&buf, explain_text(check, name.text, name.length));
        }
        if (i < properties->count) {
            buf_append_string(&buf, ", and ");
            buf_append_uint(&buf, properties->count - i);
            buf_append_string(&buf, " more");
        }
        buf_append_byte(&buf, ')');
    }
    const char *text = arena_text(check->arena, (const char *)buf.data, buf.length);
    buf_release(&buf);
    return text;
}

static bool unknown_name(Check *check, const Members *members, const Datum *value,
                         const Where *where, const char *keyword)
{
    return check->explaining &&
           check_fail(check, where, keyword, known_names(check, members), value);
}

static bool check_member(Check *check, const Members *members, const DatumMember *member,
                         const Where *where, bool *out_seen)
{
    const DatumMember *own = members->properties
                                 ? datum_member(members->properties, member->name, member->length)
                                 : NULL;
    bool fits = true;

    *out_seen = own != NULL;
    if (own)
        fits = check_schema(check, schema_of(&own->value), &member->value, where, NULL);
    for (uint32_t i = 0; i < members->pattern_count && (fits || check->explaining); i++) {
        const PatternMember *pattern = &members->patterns[i];
        if (!pattern->pattern ||
            !check_pattern(check, pattern->pattern, member->name, member->length))
            continue;
        *out_seen = true;
        fits = check_schema(check, pattern->schema, &member->value, where, NULL) && fits;
    }
    if (*out_seen || !members->additional || members->unsure)
        return fits;
    *out_seen = true;
    return members->additional->nothing
               ? unknown_name(check, members, &member->value, where, "additionalProperties")
               : check_schema(check, members->additional, &member->value, where, NULL);
}

bool check_members(Check *check, const Rule *rule, const Datum *value, const Where *where,
                   Marks *marks)
{
    bool fits = true;

    for (uint32_t i = 0; value->kind == DATUM_OBJECT && i < value->count; i++) {
        const Where here = {.up = where, .member = &value->members[i]};
        bool seen;
        if (check_spend(check, 1))
            return true;
        if (!check_member(check, rule->members, &value->members[i], &here, &seen)) {
            fits = false;
            if (!check->explaining)
                break;
        }
        if (seen)
            marks_set(marks, i);
    }
    return fits;
}

/* Names of a list that the object lacks. */
static bool all_there(Check *check, const Datum *names, const Datum *value, const Where *where,
                      const char *keyword, const char *because)
{
    bool fits = true;

    for (uint32_t i = 0; i < names->count && (fits || check->explaining); i++) {
        const Datum *name = &names->items[i];
        if (check_spend(check, 1))
            return true;
        if (datum_member(value, name->text, name->count))
            continue;
        fits = false;
        if (check->explaining)
            (void)check_fail_as(check, where, keyword,
                                arena_printf(check->arena, "the property %s%s",
                                             explain_text(check, name->text, name->count), because),
                                arena_printf(check->arena, "none: it is missing in %s",
                                             explain_value(check, value)));
    }
    return fits;
}

bool check_required(Check *check, const Rule *rule, const Datum *value, const Where *where)
{
    return value->kind != DATUM_OBJECT ||
           all_there(check, rule->value, value, where, "required", "");
}

bool check_property_names(Check *check, const Rule *rule, const Datum *value, const Where *where)
{
    bool fits = true;

    for (uint32_t i = 0; value->kind == DATUM_OBJECT && i < value->count; i++) {
        const DatumMember *member = &value->members[i];
        const Datum name = {.kind = DATUM_TEXT, .count = member->length, .text = member->name};
        const Where here = {.up = where, .member = member};
        if (!check_schema(check, rule->schema, &name, &here, NULL)) {
            fits = false;
            if (!check->explaining)
                break;
        }
    }
    return fits;
}

bool check_dependent(Check *check, const Rule *rule, const Datum *value, const Where *where,
                     Marks *marks)
{
    bool fits = true;

    for (uint32_t i = 0; value->kind == DATUM_OBJECT && i < rule->value->count; i++) {
        const DatumMember *one = &rule->value->members[i];
        if (check_spend(check, 1))
            return true;
        if (!datum_member(value, one->name, one->length))
            continue;
        bool good = one->value.kind == DATUM_ARRAY
                        ? all_there(check, &one->value, value, where, "dependentRequired",
                                    check->explaining
                                        ? arena_printf(check->arena, ", since there is %s",
                                                       explain_text(check, one->name, one->length))
                                        : "")
                        : check_schema(check, schema_of(&one->value), value, where, marks);
        fits = fits && good;
        if (!fits && !check->explaining)
            break;
    }
    return fits;
}

bool check_unevaluated(Check *check, const Rule *rule, const Datum *value, const Where *where,
                       Marks *marks)
{
    bool object = rule->kind == RULE_UNEVALUATED_PROPERTIES, fits = true;

    if (value->kind != (object ? DATUM_OBJECT : DATUM_ARRAY))
        return true;
    for (uint32_t i = 0; i < value->count && (fits || check->explaining); i++) {
        const Where here = {.up = where, .member = object ? &value->members[i] : NULL, .index = i};
        const Datum *child = object ? &value->members[i].value : &value->items[i];
        if (check_spend(check, 1))
            return true;
        if (marks_has(marks, i))
            continue;
        bool good = !rule->schema->nothing ? check_schema(check, rule->schema, child, &here, NULL)
                    : object ? unknown_name(check, NULL, child, &here, "unevaluatedProperties")
                             : check_fail(check, &here, "unevaluatedItems", "no item here", child);
        if (good)
            marks_set(marks, i);
        fits = fits && good;
    }
    return fits;
}
