/*
 * The words of `expect` and `also`.
 *
 *   also: line 4            where the error is, in the program
 *   also: column 7
 *   also: name TypeError    of the error
 *   also: code EBROKEN
 *   also: message TEXT      is part of it; likewise hint, frame
 *   also: message-is TEXT
 *   also: stack TEXT        is part of it, after what the line before this one found
 *   also: thrown JSON       the thrown value
 *   also: cause JSON        likewise; TEXT: is part of its JSON
 *   also: retryable true
 *   also: finding TN2001 3 TEXT   there is one, at that line (or *), with TEXT in its message
 *   also: no-finding TN2001
 *   also: console warn TEXT       the next entry, whole; TEXT may be a JSON string
 *   also: console-count 3
 *   also: effect host.ok 2 ok     the next one: name, line, and ok, failed or open
 *   also: calls 3
 *   also: cancelled 1       deferred calls that were told that nobody wants them any more
 *   also: status limit
 *   also: within 200        milliseconds
 */
#include "expect.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tn_error no_error = {"", "", "", "", "", "", 0, 0, 0, false, {0}, {0}};

static const tn_error *error_of(const tn_outcome *outcome)
{
    const tn_error *error = tn_outcome_error(outcome);

    return error ? error : &no_error;
}

/* ---- values ---- */

static char *value_text(tn_value value)
{
    char *text = NULL;
    size_t length;

    if (tn_value_type(value) == TN_TYPE_NONE || tn_value_json(value, &text, &length) != TN_OK)
        return NULL;
    return text;
}

static bool same_json(const char *left, const char *right)
{
    json_t *a = json_loads(left, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
    json_t *b = json_loads(right, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
    bool same = a && b && json_equal(a, b);

    json_decref(a);
    json_decref(b);
    return same;
}

static bool value_is(tn_value value, const char *json)
{
    char *text = value_text(value);
    bool same = text && same_json(text, json);

    tn_text_free(text);
    return same;
}

static bool value_mentions(tn_value value, const char *word)
{
    char *text = value_text(value);
    bool found = text && strstr(text, word);

    tn_text_free(text);
    return found;
}

void expect_describe(const tn_outcome *outcome, char *out, size_t size)
{
    const tn_error *error = error_of(outcome);
    char *text = value_text(tn_outcome_value(outcome));

    if (text)
        (void)snprintf(out, size, "ok %.300s", text);
    else if (tn_outcome_finding_count(outcome) > 0 && !error->name[0])
        (void)snprintf(
            out, size, "%s %u:%u %s %.300s", tn_outcome_status_text(tn_outcome_status_of(outcome)),
            tn_outcome_finding(outcome, 0)->line, tn_outcome_finding(outcome, 0)->column,
            tn_outcome_finding(outcome, 0)->code, tn_outcome_finding(outcome, 0)->message);
    else
        (void)snprintf(out, size, "%s %u:%u %s: %.300s (%s)",
                       tn_outcome_status_text(tn_outcome_status_of(outcome)), error->line,
                       error->column, error->name, error->message, error->code);
    tn_text_free(text);
}

/* ---- expect ---- */

static bool is_limit(const tn_outcome *outcome, const char *code)
{
    return tn_outcome_status_of(outcome) == TN_OUTCOME_LIMIT &&
           strcmp(error_of(outcome)->code, code) == 0;
}

static bool has_finding(const tn_outcome *outcome, const char *code)
{
    for (size_t i = 0; i < tn_outcome_finding_count(outcome); i++) {
        if (strcmp(tn_outcome_finding(outcome, i)->code, code) == 0)
            return true;
    }
    return false;
}

static bool is_js_error(const tn_outcome *outcome, const char *name)
{
    const char *real = error_of(outcome)->name;
    bool any = strcmp(name, "any") == 0;

    if (tn_outcome_status_of(outcome) == TN_OUTCOME_REFUSED)
        return (any || strcmp(name, "SyntaxError") == 0) && has_finding(outcome, "TN1000");
    if (tn_outcome_status_of(outcome) != TN_OUTCOME_FAILED || strcmp(real, "StuckError") == 0)
        return false;
    return any || strcmp(real, name) == 0;
}

/* Refused by the check or by the realm. A module that may not be had must be named. */
static bool is_denied(const Case *one, const tn_outcome *outcome)
{
    const char *from = strstr(one->text, " from \"");
    char name[64] = "";

    if (tn_outcome_status_of(outcome) != TN_OUTCOME_REFUSED &&
        tn_outcome_status_of(outcome) != TN_OUTCOME_FAILED &&
        tn_outcome_status_of(outcome) != TN_OUTCOME_DENIED)
        return false;
    if (strcmp(one->mode, "module") != 0 || !from)
        return true;
    (void)sscanf(from + 6, "%60[^;\n]", name);
    if (strstr(error_of(outcome)->message, name))
        return true;
    for (size_t i = 0; i < tn_outcome_finding_count(outcome); i++) {
        if (strstr(tn_outcome_finding(outcome, i)->message, name))
            return true;
    }
    return false;
}

/* The result was too large, or the console was cut with a mark where. */
static bool is_output_limit(const tn_outcome *outcome, const tn_limits *limits)
{
    uint64_t kept = 0;

    if (is_limit(outcome, "result"))
        return true;
    for (size_t i = 0; i < tn_outcome_console_count(outcome); i++)
        kept += tn_outcome_console(outcome, i)->length;
    return tn_outcome_usage(outcome)->console_dropped_bytes > 0 &&
           kept <= limits->console_bytes + 256;
}

static bool alternative_holds(const Ending *ending, const char *word)
{
    const tn_outcome *outcome = ending->outcome;
    bool ok = tn_outcome_status_of(outcome) == TN_OUTCOME_OK;

    if (strncmp(word, "value:", 6) == 0)
        return ok && value_is(tn_outcome_value(outcome), word + 6);
    if (strcmp(word, "value-any") == 0)
        return ok && tn_value_type(tn_outcome_value(outcome)) != TN_TYPE_NONE;
    if (strncmp(word, "value-text:", 11) == 0)
        return ok && value_mentions(tn_outcome_value(outcome), word + 11);
    if (strncmp(word, "js-error:", 9) == 0)
        return is_js_error(outcome, word + 9);
    if (strcmp(word, "denied") == 0)
        return is_denied(ending->one, outcome);
    if (strcmp(word, "deadline") == 0)
        return is_limit(outcome, "wall") || is_limit(outcome, "cpu");
    if (strcmp(word, "memory-limit") == 0)
        return is_limit(outcome, "memory");
    if (strcmp(word, "stack-limit") == 0)
        return is_js_error(outcome, "RangeError");
    if (strcmp(word, "output-limit") == 0)
        return is_output_limit(outcome, ending->limits);
    if (strcmp(word, "tool-limit") == 0)
        return is_limit(outcome, "calls");
    if (strcmp(word, "no-settle") == 0)
        return tn_outcome_status_of(outcome) == TN_OUTCOME_FAILED &&
               strcmp(error_of(outcome)->name, "StuckError") == 0;
    return false;
}

static bool some_alternative_holds(const Ending *ending)
{
    char *list = strdup(ending->one->expect), *word = list;
    bool holds = false;

    while (word && !holds) {
        char *next = strstr(word, " or ");
        if (next)
            *next = 0;
        holds = alternative_holds(ending, word);
        word = next ? next + 4 : NULL;
    }
    free(list);
    return holds;
}

/* ---- also ---- */

typedef struct Also {
    const Ending *ending;
    const char *rest; /* of the line, after its first word */
    size_t next_entry, next_effect;
    const char *stack; /* what is left to look in */
} Also;

static bool also_line(Also *also)
{
    return error_of(also->ending->outcome)->line == (unsigned)atoi(also->rest);
}

static bool also_column(Also *also)
{
    return error_of(also->ending->outcome)->column == (unsigned)atoi(also->rest);
}

static bool also_name(Also *also)
{
    return strcmp(error_of(also->ending->outcome)->name, also->rest) == 0;
}

static bool also_code(Also *also)
{
    return strcmp(error_of(also->ending->outcome)->code, also->rest) == 0;
}

static bool also_message(Also *also)
{
    return strstr(error_of(also->ending->outcome)->message, also->rest) != NULL;
}

static bool also_message_is(Also *also)
{
    return strcmp(error_of(also->ending->outcome)->message, also->rest) == 0;
}

static bool also_hint(Also *also)
{
    return strstr(error_of(also->ending->outcome)->hint, also->rest) != NULL;
}

static bool also_frame(Also *also)
{
    return strstr(error_of(also->ending->outcome)->frame, also->rest) != NULL;
}

static bool also_stack(Also *also)
{
    const char *found = strstr(also->stack, also->rest);

    if (found)
        also->stack = found + strlen(also->rest);
    return found != NULL;
}

static bool also_thrown(Also *also)
{
    return value_is(error_of(also->ending->outcome)->value, also->rest);
}

static bool also_cause(Also *also)
{
    tn_value cause = error_of(also->ending->outcome)->cause;

    return value_is(cause, also->rest) || value_mentions(cause, also->rest);
}

static bool also_retryable(Also *also)
{
    return error_of(also->ending->outcome)->retryable == (strcmp(also->rest, "true") == 0);
}

static bool also_finding(Also *also)
{
    const tn_outcome *outcome = also->ending->outcome;
    char code[16] = "", line[16] = "", text[200] = "";

    if (sscanf(also->rest, "%15s %15s %199[^\n]", code, line, text) < 2)
        return false;
    for (size_t i = 0; i < tn_outcome_finding_count(outcome); i++) {
        const tn_finding *finding = tn_outcome_finding(outcome, i);
        if (strcmp(finding->code, code) == 0 && strstr(finding->message, text) &&
            (line[0] == '*' || finding->line == (unsigned)atoi(line)))
            return true;
    }
    return false;
}

static bool also_no_finding(Also *also)
{
    return !has_finding(also->ending->outcome, also->rest);
}

static bool entry_is(const tn_console_entry *entry, const char *level, const char *text)
{
    static const char *const levels[] = {"debug", "log", "info", "warn", "error"};
    json_t *string = text[0] == '"' ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    const char *wanted = json_is_string(string) ? json_string_value(string) : text;
    bool same = strcmp(level, levels[entry->level]) == 0 && entry->length == strlen(wanted) &&
                memcmp(entry->text, wanted, entry->length) == 0;

    json_decref(string);
    return same;
}

static bool also_console(Also *also)
{
    const tn_outcome *outcome = also->ending->outcome;
    size_t level_length = strcspn(also->rest, " ");
    char level[16] = "";

    if (also->next_entry >= tn_outcome_console_count(outcome) || level_length >= sizeof level)
        return false;
    memcpy(level, also->rest, level_length);
    return entry_is(tn_outcome_console(outcome, also->next_entry++), level,
                    also->rest + level_length + (also->rest[level_length] == ' '));
}

static bool also_console_count(Also *also)
{
    return tn_outcome_console_count(also->ending->outcome) == (size_t)atoi(also->rest);
}

static bool also_effect(Also *also)
{
    const tn_outcome *outcome = also->ending->outcome;
    char name[64] = "", state[16] = "";
    unsigned line;

    if (sscanf(also->rest, "%63s %u %15s", name, &line, state) != 3 ||
        also->next_effect >= tn_outcome_effect_count(outcome))
        return false;
    const tn_effect *effect = tn_outcome_effect(outcome, also->next_effect++);
    const char *real = effect->open ? "open" : effect->ok ? "ok" : "failed";
    return strcmp(effect->name, name) == 0 && effect->line == line && strcmp(real, state) == 0;
}

static bool also_calls(Also *also)
{
    return tn_outcome_usage(also->ending->outcome)->calls == (unsigned)atoi(also->rest);
}

static bool also_cancelled(Also *also)
{
    unsigned told = __atomic_load_n(&also->ending->meter->cancelled, __ATOMIC_RELAXED);

    return told == (unsigned)atoi(also->rest);
}

static bool also_status(Also *also)
{
    tn_outcome_status status = tn_outcome_status_of(also->ending->outcome);

    return strcmp(tn_outcome_status_text(status), also->rest) == 0;
}

static bool also_within(Also *also)
{
    return also->ending->elapsed_ms <= atof(also->rest);
}

static bool one_holds(Also *also, const char *line)
{
    static const struct {
        const char *word;
        bool (*holds)(Also *also);
    } words[] = {
        {"line", also_line},           {"column", also_column},
        {"name", also_name},           {"code", also_code},
        {"message", also_message},     {"message-is", also_message_is},
        {"hint", also_hint},           {"frame", also_frame},
        {"stack", also_stack},         {"thrown", also_thrown},
        {"cause", also_cause},         {"retryable", also_retryable},
        {"finding", also_finding},     {"no-finding", also_no_finding},
        {"console", also_console},     {"console-count", also_console_count},
        {"effect", also_effect},       {"calls", also_calls},
        {"cancelled", also_cancelled}, {"status", also_status},
        {"within", also_within},
    };
    size_t length = strcspn(line, " ");

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) == length && memcmp(words[i].word, line, length) == 0) {
            also->rest = line + length + (line[length] == ' ');
            return words[i].holds(also);
        }
    }
    return false; /* an unknown word never holds */
}

/* ---- what was there instead ---- */

static void add(char *out, size_t size, const char *format, const char *text)
{
    size_t length = strlen(out);

    (void)snprintf(out + length, size - length, format, text);
}

static void say_all(const tn_outcome *outcome, char *out, size_t size)
{
    char *text = NULL;
    size_t length;

    if (tn_outcome_json(outcome, &text, &length) == TN_OK)
        add(out, size, "\n      outcome: %.1500s", text);
    tn_text_free(text);
}

bool expect_holds(const Ending *ending, char *out_why, size_t why_size)
{
    Also also = {.ending = ending, .stack = error_of(ending->outcome)->stack};
    bool holds = some_alternative_holds(ending);

    out_why[0] = 0;
    if (!holds) {
        add(out_why, why_size, "expected %.300s", ending->one->expect);
        add(out_why, why_size, ", and not: ", "");
        expect_describe(ending->outcome, out_why + strlen(out_why), why_size - strlen(out_why));
    }
    for (size_t i = 0; i < ending->one->also_count; i++) {
        if (one_holds(&also, ending->one->also[i]))
            continue;
        add(out_why, why_size, "\n      does not hold: %.200s", ending->one->also[i]);
        holds = false;
    }
    if (!holds)
        say_all(ending->outcome, out_why, why_size);
    return holds;
}

/* ---- soundness ---- */

static bool json_is_sound(const Ending *ending, char *out_why, size_t why_size)
{
    char *text = NULL;
    size_t length = 0,
           most =
               (size_t)(ending->limits->result_bytes + ending->limits->console_bytes) * 7 + 400000;
    json_t *json = NULL;
    const char *status = tn_outcome_status_text(tn_outcome_status_of(ending->outcome)), *told;
    bool sound;

    if (tn_outcome_json(ending->outcome, &text, &length) == TN_OK && strlen(text) == length)
        json = json_loadb(text, length, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
    told = json_string_value(json_object_get(json, "status"));
    sound = told && length <= most && json_object_get(json, "schemaVersion") &&
            strcmp(told, status) == 0;
    if (!sound) {
        add(out_why, why_size, "\n      the outcome's JSON is not as it must be (%s bytes)",
            length > most ? "too many" : "some");
        add(out_why, why_size, ": %.300s", text ? text : "none");
    }
    json_decref(json);
    tn_text_free(text);
    return sound;
}

static bool texts_are_sound(const tn_outcome *outcome, char *out_why, size_t why_size)
{
    bool sound = true;

    for (int style = TN_TEXT_PERSON; style <= TN_TEXT_MODEL; style++) {
        char *text = NULL;
        size_t length = 0;
        tn_status status = tn_outcome_text(outcome, (tn_text_style)style, 0, &text, &length);
        if (status != TN_OK || strlen(text) != length ||
            (style == TN_TEXT_MODEL && length > 2000 * 4 + 64)) {
            add(out_why, why_size, "\n      the text for a %s is not as it must be",
                style == TN_TEXT_MODEL ? "model" : "person");
            sound = false;
        }
        if (style == TN_TEXT_PERSON && text && memchr(text, 27, length)) {
            add(out_why, why_size, "\n      there is an escape character in the %s text", "plain");
            sound = false;
        }
        tn_text_free(text);
    }
    return sound;
}

bool expect_sound(const Ending *ending, char *out_why, size_t why_size)
{
    bool json = json_is_sound(ending, out_why, why_size);

    return texts_are_sound(ending->outcome, out_why, why_size) && json;
}
