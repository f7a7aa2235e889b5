/* Rules that look at one value alone. */
#include "check.h"
#include "decimal.h"
#include "utf8.h"

static unsigned type_of(const Datum *value)
{
    switch ((DatumKind)value->kind) {
    case DATUM_NULL:
        return TYPE_NULL;
    case DATUM_BOOL:
        return TYPE_BOOLEAN;
    case DATUM_NUMBER:
        return number_is_integer(value) ? TYPE_INTEGER : TYPE_FRACTION;
    case DATUM_TEXT:
        return TYPE_STRING;
    case DATUM_ARRAY:
        return TYPE_ARRAY;
    case DATUM_OBJECT:
        return TYPE_OBJECT;
    case DATUM_OTHER:
        break;
    }
    return 0;
}

static bool equal(Check *check, const Datum *a, const Datum *b)
{
    uint64_t steps = check->steps;
    bool same = datum_compare(a, b, &steps) == 0;

    (void)check_spend(check, check->steps - steps);
    return same;
}

static bool check_enum(Check *check, const Rule *rule, const Datum *value, const Where *where)
{
    for (uint32_t i = 0; i < rule->value->count && !check->stopped; i++) {
        if (equal(check, &rule->value->items[i], value))
            return true;
    }
    return check->stopped || check_fail(check, where, "enum",
                                        check->explaining && rule->value->count > 0
                                            ? arena_printf(check->arena, "one of %s",
                                                           explain_json(check, rule->value))
                                            : "nothing: no value is allowed here",
                                        value);
}

static const char *with_value(Check *check, const char *words, const Datum *value)
{
    return check->explaining
               ? arena_printf(check->arena, "%s %s", words, explain_json(check, value))
               : NULL;
}

static bool check_number(Check *check, const Rule *rule, const Datum *value, const Where *where)
{
    static const struct {
        const char *keyword, *words;
    } said[] = {{"multipleOf", "a multiple of"},
                {"minimum", "a number of at least"},
                {"maximum", "a number of at most"},
                {"exclusiveMinimum", "a number above"},
                {"exclusiveMaximum", "a number below"}};
    int order = rule->kind == RULE_MULTIPLE_OF ? 0 : number_compare(value, rule->value);
    bool fits = rule->kind == RULE_MULTIPLE_OF         ? number_is_multiple(value, rule->value)
                : rule->kind == RULE_MINIMUM           ? order >= 0
                : rule->kind == RULE_MAXIMUM           ? order <= 0
                : rule->kind == RULE_EXCLUSIVE_MINIMUM ? order > 0
                                                       : order < 0;
    unsigned which = (unsigned)rule->kind - RULE_MULTIPLE_OF;

    return fits || check_fail(check, where, said[which].keyword,
                              with_value(check, said[which].words, rule->value), value);
}

/* Lengths of texts, arrays and objects. */
static bool check_count(Check *check, const Rule *rule, const Datum *value, const Where *where)
{
    static const struct {
        uint8_t rule, kind;
        const char *keyword, *words, *unit;
    } said[] = {{RULE_MIN_LENGTH, DATUM_TEXT, "minLength", "at least", "character"},
                {RULE_MAX_LENGTH, DATUM_TEXT, "maxLength", "at most", "character"},
                {RULE_MIN_ITEMS, DATUM_ARRAY, "minItems", "at least", "item"},
                {RULE_MAX_ITEMS, DATUM_ARRAY, "maxItems", "at most", "item"},
                {RULE_MIN_PROPERTIES, DATUM_OBJECT, "minProperties", "at least", "member"},
                {RULE_MAX_PROPERTIES, DATUM_OBJECT, "maxProperties", "at most", "member"}};
    size_t which = 0;

    while (said[which].rule != rule->kind)
        which++;
    if (value->kind != said[which].kind)
        return true;
    uint64_t count =
        value->kind == DATUM_TEXT ? utf8_points(value->text, value->count) : value->count;
    (void)check_spend(check, value->kind == DATUM_TEXT ? value->count / 64 : 0);
    if (which % 2 == 0 ? count >= rule->count : count <= rule->count)
        return true;
    if (!check->explaining)
        return false;
    return check_fail_as(check, where, said[which].keyword,
                         arena_printf(check->arena, "%s %llu %s%s", said[which].words,
                                      (unsigned long long)rule->count, said[which].unit,
                                      rule->count == 1 ? "" : "s"),
                         arena_printf(check->arena, "%llu: %s", (unsigned long long)count,
                                      explain_value(check, value)));
}

bool check_pattern(Check *check, const Pattern *pattern, const char *text, size_t length)
{
    if (check_spend(check, 64 + length / 8))
        return true;
    PatternVerdict verdict = pattern_match(pattern, &check->matcher, text, length);
    if (verdict == PATTERN_GAVE_UP)
        check_stop(check, "a pattern took too long on this text");
    return verdict != PATTERN_NO;
}

static bool check_text(Check *check, const Schema *schema, const Rule *rule, const Datum *value,
                       const Where *where)
{
    if (value->kind != DATUM_TEXT)
        return true;
    if (rule->kind == RULE_PATTERN) {
        const Datum *pattern = datum_get(schema->datum, "pattern");
        return check_pattern(check, rule->pattern, value->text, value->count) ||
               check_fail(check, where, "pattern",
                          with_value(check, "a string that matches", pattern), value);
    }
    return !check->options.formats ||
           format_fits((SchemaText){rule->value->text, rule->value->count},
                       (SchemaText){value->text, value->count}) ||
           check_fail(check, where, "format",
                      with_value(check, "a string of the format", rule->value), value);
}

bool check_single(Check *check, const Schema *schema, const Rule *rule, const Datum *value,
                  const Where *where)
{
    switch ((RuleKind)rule->kind) {
    case RULE_TYPE:
        return (type_of(value) & rule->types) != 0 ||
               check_fail(check, where, "type",
                          check->explaining ? explain_types(check, rule->types) : NULL, value);
    case RULE_CONST:
        return equal(check, rule->value, value) || check->stopped ||
               check_fail(check, where, "const",
                          check->explaining ? explain_json(check, rule->value) : NULL, value);
    case RULE_ENUM:
        return check_enum(check, rule, value, where);
    case RULE_MULTIPLE_OF:
    case RULE_MINIMUM:
    case RULE_MAXIMUM:
    case RULE_EXCLUSIVE_MINIMUM:
    case RULE_EXCLUSIVE_MAXIMUM:
        return value->kind != DATUM_NUMBER || check_number(check, rule, value, where);
    case RULE_PATTERN:
    case RULE_FORMAT:
        return check_text(check, schema, rule, value, where);
    default:
        return check_count(check, rule, value, where);
    }
}
