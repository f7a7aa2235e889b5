/* A value held against a schema: rules one after the other. */
#include "check.h"

#include <string.h>

#include "clock.h"
#include "memory.h"

/* The clock starts here: most checks never come so far, and need not ask for the time. */
static void look_at_clock(Check *check)
{
    double now_ms = clock_monotonic_ms();

    if (check->deadline_ms == 0)
        check->deadline_ms = now_ms + check->options.time_ms;
    else if (now_ms > check->deadline_ms)
        check_stop(check, "the check took more time than the limit");
}

bool check_spend(Check *check, uint64_t steps)
{
    uint64_t before = check->steps;

    if (check->stopped)
        return true;
    check->steps = before > steps ? before - steps : 0;
    if (check->steps == 0)
        check_stop(check, "the check took more steps than the limit");
    else if (before >> 12 != check->steps >> 12)
        look_at_clock(check);
    return check->stopped != NULL;
}

void check_stop(Check *check, const char *reason)
{
    if (!check->stopped)
        check->stopped = reason;
}

/* ---- marks ---- */

bool marks_new(Check *check, const Datum *value, Marks *out_marks)
{
    bool many = value->kind == DATUM_ARRAY || value->kind == DATUM_OBJECT;
    uint32_t words = many ? value->count / 64 + 1 : 1;

    out_marks->count = words;
    out_marks->bits = ARENA_ARRAY(check->arena, uint64_t, words);
    if (!out_marks->bits)
        check_stop(check, "the check took more memory than the limit");
    (void)check_spend(check, words / 8);
    return out_marks->bits != NULL;
}

void marks_add(Marks *marks, const Marks *more)
{
    for (uint32_t i = 0; i < marks->count; i++)
        marks->bits[i] |= more->bits[i];
}

/* ---- what was answered before ----
 *
 * A pair of schema and value can be met again only through references, and then exponentially
 * often. So answers of references are kept, in a table of a fixed size: a pair that falls out is
 * merely looked at again. Only once a check has become long: the short ones pay nothing. */

enum { MEMO_SLOTS = 1 << 14, MEMO_AFTER_STEPS = 4096 };

typedef struct Memo {
    struct {
        const Schema *schema;
        const Datum *value;
        bool fits;
    } slots[MEMO_SLOTS];
} Memo;

static size_t memo_slot(const Schema *schema, const Datum *value)
{
    uint64_t mixed = ((uintptr_t)schema >> 4) * 0x9E3779B97F4A7C15u + ((uintptr_t)value >> 3);
    mixed *= 0xBF58476D1CE4E5B9u;
    return (size_t)(mixed >> 50) % MEMO_SLOTS;
}

static bool check_reference(Check *check, const Schema *target, const Datum *value,
                            const Where *where, Marks *marks)
{
    bool kept = !marks && !check->explaining && !check->document->dynamic &&
                check->options.steps - check->steps > MEMO_AFTER_STEPS;
    size_t slot = memo_slot(target, value);

    if (!kept)
        return check_schema(check, target, value, where, marks);
    if (!check->memo)
        check->memo = ARENA_NEW(check->arena, Memo);
    Memo *memo = check->memo;
    if (memo && memo->slots[slot].schema == target && memo->slots[slot].value == value)
        return memo->slots[slot].fits;
    bool unsure = check->unsure;
    check->unsure = false;
    bool fits = check_schema(check, target, value, where, NULL);
    if (memo && !check->stopped && !check->unsure) {
        memo->slots[slot].schema = target;
        memo->slots[slot].value = value;
        memo->slots[slot].fits = fits;
    }
    check->unsure = check->unsure || unsure;
    return fits;
}

/* ---- rules of other schemas for the same value ---- */

static bool check_all(Check *check, const SchemaList *list, const Datum *value, const Where *where,
                      Marks *marks)
{
    bool fits = true;

    for (uint32_t i = 0; i < list->count && (fits || check->explaining); i++)
        fits = check_schema(check, list->items[i], value, where, marks) && fits;
    return fits;
}

/* Does it fit for all that is known? Something that could not be read counts as fitting, which is
 * mild where it stands alone; where a fit refuses, it must not count. */
static bool quiet(Check *check, const Schema *schema, const Datum *value, const Where *where,
                  Marks *marks, bool *out_sure)
{
    bool explaining = check->explaining, unsure = check->unsure;

    check->explaining = check->unsure = false;
    bool fits = check_schema(check, schema, value, where, marks);
    *out_sure = !check->unsure;
    check->unsure = unsure || check->unsure;
    check->explaining = explaining;
    return fits;
}

/* Marks count only of those that fit, so each gets its own; and with marks all are asked. */
static bool check_any(Check *check, const Rule *rule, const Datum *value, const Where *where,
                      Marks *marks)
{
    uint32_t fitting = 0, surely = 0;
    bool sure;

    for (uint32_t i = 0; i < rule->list->count && !check->stopped; i++) {
        Marks own;
        if (marks && !marks_new(check, value, &own))
            break;
        if (!quiet(check, rule->list->items[i], value, where, marks ? &own : NULL, &sure))
            continue;
        fitting++;
        surely += sure;
        if (marks)
            marks_add(marks, &own);
        if (rule->kind == RULE_ANY_OF ? !marks : surely > 1)
            break;
    }
    if (check->stopped || (fitting > 0 && (surely <= 1 || rule->kind == RULE_ANY_OF)))
        return true;
    if (fitting > 0)
        return check_fail(check, where, "oneOf", "a value that fits exactly one alternative",
                          value);
    return check->explaining && explain_alternatives(check, rule->list, value, where,
                                                     rule->kind == RULE_ANY_OF ? "anyOf" : "oneOf");
}

static bool check_if(Check *check, const Conditional *conditional, const Datum *value,
                     const Where *where, Marks *marks)
{
    Marks own;
    bool sure;

    if (marks && !marks_new(check, value, &own))
        return true;
    bool test = quiet(check, conditional->test, value, where, marks ? &own : NULL, &sure);
    if (test && !sure)
        return true;
    if (test && marks)
        marks_add(marks, &own);
    const Schema *next = test ? conditional->then : conditional->otherwise;
    return !next || check_schema(check, next, value, where, marks);
}

/* The outermost resource on the way here that has the anchor decides. */
static const Schema *dynamic_target(const Check *check, const Rule *rule)
{
    const Reference *reference = rule->reference;
    const Schema *target = reference->target;

    if (!reference->dynamic)
        return target;
    for (const Scope *scope = check->scope; scope; scope = scope->up) {
        const Resource *resource = scope->resource;
        const Schema *found = NULL;
        if (rule->kind == RULE_DYNAMIC_REF)
            found = schema_dynamic_anchor(check->document, resource, reference->anchor);
        else if (resource->recursive_anchor)
            found = schema_of(resource->root);
        /* one that no reference reaches was not read: it cannot be what is meant */
        if (found && found->state == SCHEMA_READ)
            target = found;
    }
    return target;
}

/* ---- the whole ---- */

static bool check_rule(Check *check, const Schema *schema, const Rule *rule, const Datum *value,
                       const Where *where, Marks *marks)
{
    bool sure;

    switch ((RuleKind)rule->kind) {
    case RULE_REQUIRED:
        return check_required(check, rule, value, where);
    case RULE_MEMBERS:
        return check_members(check, rule, value, where, marks);
    case RULE_PROPERTY_NAMES:
        return check_property_names(check, rule, value, where);
    case RULE_DEPENDENT_REQUIRED:
    case RULE_DEPENDENT_SCHEMAS:
    case RULE_DEPENDENCIES:
        return check_dependent(check, rule, value, where, marks);
    case RULE_UNIQUE_ITEMS:
        return check_unique(check, value, where);
    case RULE_ELEMENTS:
        return check_elements(check, rule, value, where, marks);
    case RULE_CONTAINS:
        return check_contains(check, schema, rule, value, where, marks);
    case RULE_REF:
    case RULE_DYNAMIC_REF:
    case RULE_RECURSIVE_REF:
        return check_reference(check, dynamic_target(check, rule), value, where, marks);
    case RULE_ALL_OF:
        return check_all(check, rule->list, value, where, marks);
    case RULE_ANY_OF:
    case RULE_ONE_OF:
        return check_any(check, rule, value, where, marks);
    case RULE_NOT:
        return !quiet(check, rule->schema, value, where, NULL, &sure) || !sure || check->stopped ||
               check_fail(check, where, "not", "a value that the schema does not exclude", value);
    case RULE_IF:
        return check_if(check, rule->conditional, value, where, marks);
    case RULE_UNEVALUATED_ITEMS:
    case RULE_UNEVALUATED_PROPERTIES:
        return check_unevaluated(check, rule, value, where, marks);
    default:
        return check_single(check, schema, rule, value, where);
    }
}

static bool check_rules(Check *check, const Schema *schema, const Datum *value, const Where *where,
                        Marks *marks)
{
    bool fits = true;

    for (uint16_t i = 0; i < schema->rule_count && !check->stopped; i++) {
        if (!check_rule(check, schema, &schema->rules[i], value, where, marks)) {
            fits = false;
            if (!check->explaining || schema->rules[i].kind == RULE_TYPE)
                break;
        }
    }
    return fits;
}

bool check_schema(Check *check, const Schema *schema, const Datum *value, const Where *where,
                  Marks *marks)
{
    Marks own, *outer = NULL;

    if (!schema || check_spend(check, 1))
        return true;
    check->unsure = check->unsure || schema->faulty;
    if (schema->nothing)
        return check_fail(check, where, "false", "nothing: no value is allowed here", value);
    if (schema->bytes)
        return (value->kind == DATUM_OTHER && strcmp(value->word, "bytes") == 0) ||
               check_fail(check, where, "format", "bytes (a Uint8Array)", value);
    if (schema->rule_count == 0 || (schema->nullable && value->kind == DATUM_NULL))
        return true;
    if (check->depth == 0) {
        check_stop(check, "the check went deeper than the limit");
        return true;
    }
    if (schema->unevaluated) { /* it sees what its own parts looked at, and nobody else's */
        outer = marks;
        if (!marks_new(check, value, &own))
            return true;
        marks = &own;
    }
    Scope scope = {check->scope, schema->resource};
    const Scope *before = check->scope;
    if (check->document->dynamic && (!before || before->resource != schema->resource))
        check->scope = &scope;
    check->depth--;
    bool fits = check_rules(check, schema, value, where, marks);
    check->depth++;
    check->scope = before;
    if (fits && outer)
        marks_add(outer, marks);
    return fits;
}

/* ---- the door ---- */

static void turn_around(Check *check)
{
    SchemaFailure *turned = NULL;

    while (check->failures) {
        SchemaFailure *next = check->failures->next;
        check->failures->next = turned;
        turned = check->failures;
        check->failures = next;
    }
    check->failures = turned;
}

/* It does not fit: look again and note why, with work of its own, since what is noted costs more.
 * If that is not enough, what was noted so far is what is said. */
static void explain(Check *check, const Schema *schema, const Datum *value)
{
    const Where root = {0};
    uint64_t most = 1000000;

    check->steps = check->options.steps < most ? check->options.steps : most;
    check->explaining = true;
    (void)check_schema(check, schema, value, &root, NULL);
    check->stopped = NULL;
    if (!check->failures)
        (void)check_fail(check, &root, "", "a value that fits the schema", value);
    turn_around(check);
}

tn_status schema_check(const Schema *schema, tn_value value, const SchemaCheckOptions *options,
                       Arena *scratch, SchemaOutcome *out_outcome)
{
    Check check = {.arena = scratch, .document = schema->document};
    SchemaOutcome outcome = {.verdict = SCHEMA_UNDECIDED};
    const Where root = {0};
    Datum *datum;

    if (options)
        check.options = *options;
    if (check.options.failures == 0)
        check.options.failures = 1;
    if (check.options.steps == 0)
        check.options.steps = 20000000;
    if (check.options.time_ms == 0)
        check.options.time_ms = 1000;
    check.steps = check.options.steps;
    check.depth = check.options.depth ? check.options.depth : 3000;
    tn_status status =
        datum_read(scratch, value, (DatumLimits){5000000, 1250}, &datum, &outcome.reason);
    if (status == TN_ERR_NOMEM)
        return status;
    if (status == TN_OK) {
        matcher_init(&check.matcher, scratch->allocator);
        bool fits = check_schema(&check, schema, datum, &root, NULL);
        outcome.reason = check.stopped;
        if (!check.stopped)
            outcome.verdict = fits ? SCHEMA_VALID : SCHEMA_INVALID;
        if (outcome.verdict == SCHEMA_INVALID)
            explain(&check, schema, datum);
        outcome.failures = check.failures;
        matcher_release(&check.matcher);
    }
    if (arena_status(scratch) == TN_ERR_NOMEM)
        return TN_ERR_NOMEM;
    if (scratch->failed && outcome.verdict == SCHEMA_VALID) {
        outcome.verdict = SCHEMA_UNDECIDED;
        outcome.reason = "the check took more memory than the limit";
    }
    *out_outcome = outcome;
    return TN_OK;
}
