/* A policy from a document. Every complaint names the place in it, what was expected, and what is
 * there. */
#include <string.h>

#include "base.h"
#include "buf.h"
#include "number.h"
#include "rules_reader.h"
#include "utf8.h"
#include "value.h"

enum { DEPTH_MOST = 64, SHOWN_MOST = 60, REASON_MOST = 1000, STEPS_MOST = 32 };

/* ---- complaints ---- */

static void put_shown(Buf *out, const char *text, size_t length)
{
    size_t most = length > SHOWN_MOST ? utf8_floor(text, length, SHOWN_MOST) : length;

    buf_append_byte(out, '"');
    for (size_t i = 0; i < most; i++)
        buf_append_byte(out, (unsigned char)text[i] < ' ' ? '?' : (uint8_t)text[i]);
    buf_append_string(out, most < length ? "...\"" : "\"");
}

static bool is_plain_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
              (c >= '0' && c <= '9' && i > 0)))
            return false;
    }
    return length > 0;
}

static void put_place(Buf *out, const Place *place)
{
    if (!place) {
        buf_append_byte(out, '$');
        return;
    }
    put_place(out, place->up);
    if (!place->name) {
        buf_append_byte(out, '[');
        buf_append_uint(out, place->length);
        buf_append_byte(out, ']');
    } else if (is_plain_name(place->name, place->length)) {
        buf_append_byte(out, '.');
        buf_append(out, place->name, place->length);
    } else {
        buf_append_byte(out, '[');
        put_shown(out, place->name, place->length);
        buf_append_byte(out, ']');
    }
}

static void put_got(Buf *out, tn_value value)
{
    char number[NUMBER_TEXT_MAX];
    size_t length;
    const char *text;

    switch (tn_value_type(value)) {
    case TN_TYPE_NONE:
        buf_append_string(out, "nothing");
        break;
    case TN_TYPE_NULL:
        buf_append_string(out, "null");
        break;
    case TN_TYPE_BOOL:
        buf_append_string(out, tn_value_bool(value) ? "true" : "false");
        break;
    case TN_TYPE_NUMBER:
        buf_append(out, number, number_text(tn_value_number(value), number));
        break;
    case TN_TYPE_TEXT:
        text = tn_value_text(value, &length);
        put_shown(out, text ? text : "", text ? length : 0);
        break;
    case TN_TYPE_ARRAY:
        buf_append_string(out, tn_value_count(value) ? "an array" : "an empty array");
        break;
    case TN_TYPE_OBJECT:
        buf_append_string(out, tn_value_count(value) ? "an object" : "an empty object");
        break;
    default:
        buf_append_string(out, "a value of another kind");
        break;
    }
}

bool rules_wrong(Reader *reader, const Place *place, const char *expected, tn_value got)
{
    Buf text;

    if (reader->fault)
        return false;
    buf_init(&text, &reader->policy->allocator, 16 * 1024);
    put_place(&text, place);
    buf_append_string(&text, ": expected ");
    buf_append_string(&text, expected);
    buf_append_string(&text, ", got ");
    put_got(&text, got);
    reader->fault = text.failed
                        ? "a fault too long to tell"
                        : arena_text(&reader->policy->arena, (const char *)text.data, text.length);
    buf_release(&text);
    return false;
}

/* ---- objects with known members ---- */

static const char *list_members(Reader *reader, const Member *members, size_t count)
{
    char list[200] = "one of the members ";
    size_t at = strlen(list);

    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(members[i].name);
        if (at + length + 3 > sizeof list)
            break;
        if (i > 0)
            memcpy(list + at, ", ", 2);
        at += i > 0 ? 2 : 0;
        memcpy(list + at, members[i].name, length);
        list[at + length] = '\0';
        at += length;
    }
    const char *copy = arena_string(&reader->policy->arena, list);
    return copy ? copy : "another member";
}

bool rules_members(Reader *reader, const Place *up, tn_value object, const Member *members,
                   size_t count, Draft *draft)
{
    tn_cursor cursor = {0};
    uint32_t seen = 0;

    if (tn_value_type(object) != TN_TYPE_OBJECT)
        return rules_wrong(reader, up, "an object", object);
    while (tn_value_next(object, &cursor)) {
        Place place = {.up = up};
        size_t i = 0;
        place.name = tn_value_text(cursor.key, &place.length);
        while (i < count && (!place.name || strlen(members[i].name) != place.length ||
                             memcmp(members[i].name, place.name, place.length) != 0))
            i++;
        if (i == count)
            return rules_wrong(reader, up, list_members(reader, members, count), cursor.key);
        if (seen >> i & 1)
            return rules_wrong(reader, &place, "this member once", cursor.value);
        seen |= 1u << i;
        if (!members[i].read(reader, &place, cursor.value, draft))
            return false;
    }
    return true;
}

const char *rules_text(Reader *reader, const Place *place, tn_value value, size_t most,
                       const char *expected)
{
    size_t length = 0;
    const char *text = tn_value_type(value) == TN_TYPE_TEXT ? tn_value_text(value, &length) : NULL;

    if (!text || length > most || memchr(text, 0, length)) {
        rules_wrong(reader, place, expected, value);
        return NULL;
    }
    return arena_text(&reader->policy->arena, text, length);
}

static bool read_nothing(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    (void)draft;
    return tn_value_type(value) == TN_TYPE_TEXT || rules_wrong(reader, place, "text", value);
}

static bool read_count(Reader *reader, const Place *place, tn_value value, uint32_t *out_count)
{
    int64_t number;

    if (!tn_value_int(value, &number) || number < 1 || number > UINT32_MAX)
        return rules_wrong(reader, place, "a whole number from 1 to 4294967295", value);
    *out_count = (uint32_t)number;
    return true;
}

/* ---- conditions ---- */

static bool read_path(Reader *reader, const Place *place, tn_value key, Condition *condition)
{
    PathStep steps[STEPS_MOST];
    const char *at = condition->path, *end = at + place->length;
    size_t count = 0;

    while (at <= end) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        PathStep step = {.name = at, .length = (size_t)((dot ? dot : end) - at), .is_index = true};
        for (size_t i = 0; i < step.length; i++) {
            step.is_index = step.is_index && at[i] >= '0' && at[i] <= '9' && i < 6;
            step.index = step.index * 10 + (size_t)(unsigned char)(at[i] - '0') % 10;
        }
        if (step.length == 0 || count == STEPS_MOST)
            return rules_wrong(
                reader, place->up,
                "paths like \"repo\", \"options.force\" or \"0.repo\" as its members", key);
        steps[count++] = step;
        at = (dot ? dot : end) + 1;
    }
    PathStep *kept = ARENA_ARRAY(&reader->policy->arena, PathStep, count);
    if (!kept)
        return false;
    memcpy(kept, steps, count * sizeof *kept);
    condition->steps = kept;
    condition->step_count = count;
    return true;
}

static bool take_values(Reader *reader, tn_value value, bool is_list, Condition *condition)
{
    size_t count = is_list ? tn_value_count(value) : 1, at = 0;
    tn_value *values = ARENA_ARRAY(&reader->policy->arena, tn_value, count + 1);
    tn_cursor cursor = {0};

    if (!values)
        return false;
    if (!is_list)
        values[at++] = value;
    while (is_list && at < count && tn_value_next(value, &cursor))
        values[at++] = cursor.value;
    condition->kind = count > 0 ? MATCH_ANY_OF : MATCH_NEVER;
    condition->values = values;
    condition->value_count = count;
    return true;
}

/* {"equals": v}, {"oneOf": [v, ...]}, {"prefix": t}, {"pattern": t}; anything that is no object
 * stands for itself. */
static bool read_match(Reader *reader, const Place *place, tn_value value, Condition *condition)
{
    static const char expected[] = "a value, or an object with one of the members equals, oneOf, "
                                   "prefix, pattern";
    tn_cursor cursor = {0};
    Place inner = {.up = place};

    if (tn_value_type(value) == TN_TYPE_ARRAY)
        return rules_wrong(reader, place, expected, value);
    if (tn_value_type(value) != TN_TYPE_OBJECT)
        return take_values(reader, value, false, condition);
    if (tn_value_count(value) != 1 || !tn_value_next(value, &cursor))
        return rules_wrong(reader, place, expected, value);
    inner.name = tn_value_text(cursor.key, &inner.length);
    if (inner.length == 6 && memcmp(inner.name, "equals", 6) == 0)
        return take_values(reader, cursor.value, false, condition);
    if (inner.length == 5 && memcmp(inner.name, "oneOf", 5) == 0)
        return tn_value_type(cursor.value) == TN_TYPE_ARRAY
                   ? take_values(reader, cursor.value, true, condition)
                   : rules_wrong(reader, &inner, "an array of values", cursor.value);
    if (inner.length == 6 && memcmp(inner.name, "prefix", 6) == 0)
        condition->kind = MATCH_PREFIX;
    else if (inner.length == 7 && memcmp(inner.name, "pattern", 7) == 0)
        condition->kind = MATCH_PATTERN;
    else
        return rules_wrong(reader, place, expected, cursor.key);
    condition->text = tn_value_type(cursor.value) == TN_TYPE_TEXT
                          ? tn_value_text(cursor.value, &condition->text_length)
                          : NULL;
    return condition->text || rules_wrong(reader, &inner, "text", cursor.value);
}

static bool read_when(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    tn_cursor cursor = {0};

    if (tn_value_type(value) != TN_TYPE_OBJECT)
        return rules_wrong(reader, place, "an object of conditions, by paths into the arguments",
                           value);
    while (tn_value_next(value, &cursor)) {
        Condition *condition = ARENA_NEW(&reader->policy->arena, Condition);
        Place inner = {.up = place};
        if (!condition)
            return false;
        inner.name = tn_value_text(cursor.key, &inner.length);
        condition->path = arena_text(&reader->policy->arena, inner.name, inner.length);
        if (!condition->path || !read_path(reader, &inner, cursor.key, condition) ||
            !read_match(reader, &inner, cursor.value, condition))
            return false;
        condition->next = (Condition *)(uintptr_t)draft->clause.when;
        draft->clause.when = condition;
    }
    return draft->clause.when || rules_wrong(reader, place, "at least one condition", value);
}

/* ---- rules ---- */

static bool read_effect(Reader *reader, const Place *place, tn_value value, Draft *draft,
                        tn_policy_effect effect)
{
    tn_type type = tn_value_type(value);

    if (draft->effect)
        return rules_wrong(reader, place, "one of allow, ask and deny in a rule", value);
    if (type != TN_TYPE_TEXT && (type != TN_TYPE_ARRAY || tn_value_count(value) == 0))
        return rules_wrong(reader, place, "a pattern like \"github.*\", or an array of them",
                           value);
    draft->effect = place->name;
    draft->clause.kind = (ClauseKind)effect;
    draft->patterns = value;
    return true;
}

static bool read_allow(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return read_effect(reader, place, value, draft, TN_POLICY_ALLOW);
}

static bool read_ask(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return read_effect(reader, place, value, draft, TN_POLICY_ASK);
}

static bool read_deny(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return read_effect(reader, place, value, draft, TN_POLICY_DENY);
}

static bool read_reason(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    draft->clause.reason =
        rules_text(reader, place, value, REASON_MOST, "text of at most 1000 bytes");
    return draft->clause.reason;
}

/* Give a clause its pattern and add it. */
static bool add_clause(Reader *reader, const Place *place, tn_value pattern, const Clause *clause)
{
    Clause added = *clause;
    size_t length = 0;
    const char *text =
        tn_value_type(pattern) == TN_TYPE_TEXT ? tn_value_text(pattern, &length) : NULL;
    const char *fault = text ? rules_pattern_fault(text, length) : "a pattern";

    if (fault)
        return rules_wrong(reader, place, fault, pattern);
    added.pattern = arena_text(&reader->policy->arena, text, length);
    return added.pattern && rules_add(reader->policy, &added) == TN_OK;
}

static bool read_rule(Reader *reader, const Place *place, tn_value value)
{
    static const Member members[] = {{"allow", read_allow},
                                     {"ask", read_ask},
                                     {"deny", read_deny},
                                     {"when", read_when},
                                     {"reason", read_reason}};
    Draft draft = {0};
    tn_cursor cursor = {0};

    if (!rules_members(reader, place, value, members, COUNT_OF(members), &draft))
        return false;
    if (!draft.effect)
        return rules_wrong(reader, place, "a rule with allow, ask or deny", value);
    Place inner = {place, draft.effect,
                   strlen(draft.clause.kind == CLAUSE_ALLOW  ? "allow"
                          : draft.clause.kind == CLAUSE_DENY ? "deny"
                                                             : "ask")};
    if (tn_value_type(draft.patterns) == TN_TYPE_TEXT)
        return add_clause(reader, &inner, draft.patterns, &draft.clause);
    for (size_t i = 0; tn_value_next(draft.patterns, &cursor); i++) {
        Place element = {&inner, NULL, i};
        if (!add_clause(reader, &element, cursor.value, &draft.clause))
            return false;
    }
    return true;
}

static bool read_rules(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    tn_cursor cursor = {0};
    (void)draft;

    if (tn_value_type(value) != TN_TYPE_ARRAY)
        return rules_wrong(reader, place, "an array of rules", value);
    for (size_t i = 0; tn_value_next(value, &cursor); i++) {
        Place element = {place, NULL, i};
        if (!read_rule(reader, &element, cursor.value))
            return false;
    }
    return true;
}

/* ---- the sections that are objects by patterns ---- */

static bool read_by_pattern(Reader *reader, const Place *up, tn_value object, ClauseKind kind,
                            bool (*read)(Reader *reader, const Place *place, tn_value value,
                                         Clause *clause))
{
    tn_cursor cursor = {0};

    if (tn_value_type(object) != TN_TYPE_OBJECT)
        return rules_wrong(reader, up, "an object by patterns like \"github.*\"", object);
    while (tn_value_next(object, &cursor)) {
        Clause clause = {.kind = kind};
        Place place = {.up = up};
        place.name = tn_value_text(cursor.key, &place.length);
        if (!read(reader, &place, cursor.value, &clause) ||
            !add_clause(reader, up, cursor.key, &clause))
            return false;
    }
    return true;
}

static bool read_calls(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return read_count(reader, place, value, &draft->clause.calls_most);
}

static bool read_time(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return read_count(reader, place, value, &draft->clause.time_ms);
}

static bool read_limit(Reader *reader, const Place *place, tn_value value, Clause *clause)
{
    static const Member members[] = {{"calls", read_calls}, {"timeMs", read_time}};
    Draft draft = {.clause = *clause};

    if (!rules_members(reader, place, value, members, COUNT_OF(members), &draft))
        return false;
    *clause = draft.clause;
    return clause->calls_most || clause->time_ms ||
           rules_wrong(reader, place, "calls or timeMs", value);
}

static bool read_read_only(Reader *reader, const Place *place, tn_value value, Clause *clause)
{
    if (tn_value_type(value) != TN_TYPE_BOOL)
        return rules_wrong(reader, place, "true or false", value);
    clause->read_only = tn_value_bool(value);
    return true;
}

static bool read_bound(Reader *reader, const Place *place, tn_value value, Clause *clause)
{
    tn_cursor cursor = {0};

    if (tn_value_type(value) != TN_TYPE_OBJECT || tn_value_count(value) == 0)
        return rules_wrong(reader, place, "an object of parameters and their values", value);
    while (tn_value_next(value, &cursor)) {
        BoundParameter *bound = ARENA_NEW(&reader->policy->arena, BoundParameter);
        if (!bound)
            return false;
        const char *name = tn_value_text(cursor.key, &bound->length);
        if (!name || bound->length == 0 || memchr(name, 0, bound->length))
            return rules_wrong(reader, place, "names of parameters", cursor.key);
        bound->name = arena_text(&reader->policy->arena, name, bound->length);
        bound->value = cursor.value;
        bound->next = (BoundParameter *)(uintptr_t)clause->bound;
        clause->bound = bound;
        if (!bound->name)
            return false;
    }
    return true;
}

static bool read_function(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    static const char expected[] = "the name of a function, like \"mock.send\"";

    draft->clause.override = OVERRIDE_FUNCTION;
    draft->clause.function_name = rules_text(reader, place, value, RULES_PATTERN_MAX, expected);
    if (draft->clause.function_name &&
        (strchr(draft->clause.function_name, '*') ||
         rules_pattern_fault(draft->clause.function_name, strlen(draft->clause.function_name))))
        return rules_wrong(reader, place, expected, value);
    return draft->clause.function_name;
}

static bool read_constant(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    (void)reader, (void)place;
    draft->clause.override = OVERRIDE_VALUE;
    draft->clause.value = value;
    return true;
}

static bool read_denial(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    draft->clause.override = OVERRIDE_DENIAL;
    if (tn_value_bool(value))
        return true;
    draft->clause.reason =
        rules_text(reader, place, value, REASON_MOST, "true, or the reason as text");
    return draft->clause.reason;
}

static bool read_override(Reader *reader, const Place *place, tn_value value, Clause *clause)
{
    static const Member members[] = {
        {"function", read_function}, {"value", read_constant}, {"deny", read_denial}};
    Draft draft = {.clause = *clause};

    if (tn_value_type(value) == TN_TYPE_OBJECT && tn_value_count(value) != 1)
        return rules_wrong(reader, place, "one of function, value and deny", value);
    if (!rules_members(reader, place, value, members, COUNT_OF(members), &draft))
        return false;
    *clause = draft.clause;
    return true;
}

/* ---- the document ---- */

static bool read_default(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    static const char *const names[] = {"allow", "ask", "deny"};
    size_t length = 0;
    const char *text = tn_value_type(value) == TN_TYPE_TEXT ? tn_value_text(value, &length) : NULL;
    (void)draft;

    for (size_t i = 0; text && i < COUNT_OF(names); i++) {
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
            reader->policy->effect = (tn_policy_effect)i;
            return true;
        }
    }
    return rules_wrong(reader, place, "\"allow\", \"ask\" or \"deny\"", value);
}

#define SECTION(name, kind, read)                                                                  \
    static bool name(Reader *reader, const Place *place, tn_value value, Draft *draft)             \
    {                                                                                              \
        (void)draft;                                                                               \
        return read_by_pattern(reader, place, value, kind, read);                                  \
    }

SECTION(read_limits, CLAUSE_LIMIT, read_limit)
SECTION(read_read_onlys, CLAUSE_READ_ONLY, read_read_only)
SECTION(read_bounds, CLAUSE_BOUND, read_bound)
SECTION(read_overrides, CLAUSE_OVERRIDE, read_override)

/* What is compared with a program's values is gone through by recursion: not deeply, then. */
static bool is_shallow(tn_value value, unsigned left)
{
    tn_cursor cursor = {0};

    while (tn_value_next(value, &cursor)) {
        if (left == 0 || !is_shallow(cursor.value, left - 1))
            return false;
    }
    return true;
}

tn_status rules_read(tn_policy *policy, tn_value document, const char **out_fault)
{
    static const Member members[] = {
        {"$schema", read_nothing}, {"description", read_nothing}, {"default", read_default},
        {"rules", read_rules},     {"limits", read_limits},       {"readOnly", read_read_onlys},
        {"bound", read_bounds},    {"override", read_overrides},  {"fetch", rules_read_fetch}};
    Reader reader = {.policy = policy};
    size_t length = (size_t)(document.end - document.document);
    uint8_t *copy;
    ValueIndex index = {0};
    bool done;

    if (tn_value_type(document) != TN_TYPE_OBJECT) {
        rules_wrong(&reader, NULL, "an object", document);
    } else if (!value_check(document.document, length, &index) || index.shared_count > 0 ||
               document.start != document.document || !is_shallow(document, DEPTH_MOST)) {
        rules_wrong(&reader, NULL, "plain data, at most 64 levels deep", document);
    } else if ((copy = arena_push(&policy->arena, length))) {
        memcpy(copy, document.document, length);
        done = rules_members(&reader, NULL, (tn_value){copy, copy, copy + length}, members,
                             COUNT_OF(members), NULL);
        if (done)
            return arena_status(&policy->arena);
    }
    if (!reader.fault)
        return arena_status(&policy->arena) != TN_OK ? arena_status(&policy->arena) : TN_ERR_NOMEM;
    *out_fault = reader.fault;
    return TN_ERR_ARGUMENT;
}
