/* Rules of arrays. */
#include "check.h"

bool check_elements(Check *check, const Rule *rule, const Datum *value, const Where *where,
                    Marks *marks)
{
    const ElementRules *elements = rule->elements;
    bool fits = true;

    for (uint32_t i = 0; value->kind == DATUM_ARRAY && i < value->count; i++) {
        bool first = i < elements->prefix.count;
        const Schema *schema = first ? elements->prefix.items[i] : elements->rest;
        const Where here = {.up = where, .index = i};
        if (!first && !elements->rest)
            break;
        bool good =
            schema && schema->nothing
                ? check_fail(check, &here, "items",
                             check->explaining ? arena_printf(check->arena, "at most %u items", i)
                                               : NULL,
                             &value->items[i])
                : check_schema(check, schema, &value->items[i], &here, NULL);
        marks_set(marks, i);
        fits = fits && good;
        if (check->stopped || (!fits && !check->explaining))
            break;
    }
    return fits;
}

/* Elements that fit are looked at, for 2020-12: 2019-09 does not count them as such. */
bool check_contains(Check *check, const Schema *schema, const Rule *rule, const Datum *value,
                    const Where *where, Marks *marks)
{
    const Contains *contains = rule->contains;
    bool explaining = check->explaining;
    bool marking = marks && dialect_has_prefix(schema_dialect(schema));
    uint64_t count = 0;

    if (value->kind != DATUM_ARRAY)
        return true;
    check->explaining = false;
    for (uint32_t i = 0; i < value->count && !check->stopped; i++) {
        const Where here = {.up = where, .index = i};
        if (!check_schema(check, contains->schema, &value->items[i], &here, NULL))
            continue;
        count++;
        if (marking)
            marks_set(marks, i);
        else if (count > contains->most ||
                 (contains->most == UINT64_MAX && count >= contains->least))
            break;
    }
    check->explaining = explaining;
    if (check->stopped || (count >= contains->least && count <= contains->most))
        return true;
    return explaining &&
           check_fail_as(
               check, where, "contains",
               arena_printf(check->arena, "at %s %llu items of a certain kind",
                            count < contains->least ? "least" : "most",
                            (unsigned long long)(count < contains->least ? contains->least
                                                                         : contains->most)),
               arena_printf(check->arena, "%llu of them", (unsigned long long)count));
}

bool check_unique(Check *check, const Datum *value, const Where *where)
{
    uint64_t steps = check->steps;

    if (value->kind != DATUM_ARRAY)
        return true;
    uint32_t repeated = datum_repeated(check->arena, value, &steps);
    if (check_spend(check, check->steps - steps) || repeated == UINT32_MAX)
        return true;
    const Where here = {.up = where, .index = repeated};
    return check_fail(check, &here, "uniqueItems", "an item that is not there before",
                      &value->items[repeated]);
}
