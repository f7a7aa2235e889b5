#include "outcome.h"

#include <string.h>

#include "described.h"
#include "memory.h"
#include "number.h"
#include "utf8.h"

/* An outcome holds what the limits of a run let through, and copies of it. */
static const size_t outcome_bytes_most = (size_t)1 << 32;

tn_status outcome_new(const tn_allocator *allocator, tn_outcome **out_outcome)
{
    tn_outcome *outcome = memory_new(allocator, sizeof *outcome);

    if (!outcome)
        return TN_ERR_NOMEM;
    outcome->allocator = *allocator;
    arena_init(&outcome->arena, &outcome->allocator, outcome_bytes_most);
    *out_outcome = outcome;
    return TN_OK;
}

void tn_outcome_free(tn_outcome *outcome)
{
    if (!outcome)
        return;
    tn_allocator allocator = outcome->allocator;
    arena_release(&outcome->arena);
    memory_free(&allocator, outcome, sizeof *outcome);
}

tn_status outcome_state(const tn_outcome *outcome)
{
    return arena_status(&outcome->arena);
}

void outcome_set_status(tn_outcome *outcome, tn_outcome_status status)
{
    outcome->status = status;
}

void outcome_set_usage(tn_outcome *outcome, const tn_usage *usage)
{
    outcome->usage = *usage;
}

void outcome_set_run(tn_outcome *outcome, const char run[RUN_ID_BYTES])
{
    memcpy(outcome->run, run, sizeof outcome->run);
}

const char *tn_outcome_run(const tn_outcome *outcome)
{
    return outcome->run[0] ? outcome->run : NULL;
}

/* A copy of a document in the arena; NONE if there is no memory for it. */
static tn_value keep_document(tn_outcome *outcome, const uint8_t *bytes, size_t length)
{
    uint8_t *copy = arena_push(&outcome->arena, length);

    if (!copy)
        return (tn_value){0};
    memcpy(copy, bytes, length);
    return (tn_value){copy, copy, copy + length};
}

tn_status outcome_set_value(tn_outcome *outcome, const uint8_t *bytes, size_t length)
{
    if (tn_value_type(tn_value_view(bytes, length)) == TN_TYPE_NONE)
        return TN_ERR_ARGUMENT;
    tn_value value = keep_document(outcome, bytes, length);
    if (!value.start)
        return arena_status(&outcome->arena);
    outcome->value = value;
    return TN_OK;
}

/* ---- the error ---- */

/* Text that ends in NUL, for who reads it as a C string: a NUL inside it would hide the rest, so it
 * is shown as U+2400. Never NULL, even without memory. */
static const char *keep_text(tn_outcome *outcome, const char *text, size_t length)
{
    size_t zeros = 0, to = 0;

    if (!text || length == 0)
        return "";
    for (size_t i = 0; i < length; i++)
        zeros += text[i] == '\0';
    char *copy = length > SIZE_MAX / 4 ? NULL : arena_push(&outcome->arena, length + 2 * zeros + 1);
    if (!copy)
        return "";
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\0') {
            copy[to++] = text[i];
        } else {
            to += utf8_encode(0x2400, (uint8_t *)copy + to);
        }
    }
    return copy;
}

static const char *keep_string(tn_outcome *outcome, const char *string)
{
    return string ? keep_text(outcome, string, strlen(string)) : "";
}

/* What is given goes before what the guest says. */
static const char *keep_member(tn_outcome *outcome, const char *given, size_t given_length,
                               tn_value description, const char *name)
{
    size_t length;
    const char *text = given;

    if (text)
        return keep_text(outcome, text, given_length);
    text = described_text(description, name, &length);
    return keep_text(outcome, text, length);
}

/* A code may be a number: errno, an HTTP status. */
static const char *keep_code(tn_outcome *outcome, const OutcomeError *error)
{
    tn_value code = tn_value_member(error->from_guest, "code");
    char digits[NUMBER_TEXT_MAX];

    if (!error->code && tn_value_type(code) == TN_TYPE_NUMBER)
        return keep_text(outcome, digits, number_text(tn_value_number(code), digits));
    return keep_member(outcome, error->code, error->code ? strlen(error->code) : 0,
                       error->from_guest, "code");
}

static tn_value keep_value(tn_outcome *outcome, tn_value value)
{
    if (tn_value_type(value) == TN_TYPE_NONE)
        return (tn_value){0};
    tn_value whole = keep_document(outcome, value.document, (size_t)(value.end - value.document));
    if (whole.start)
        whole.start += value.start - value.document;
    return whole;
}

static tn_value keep_cause(tn_outcome *outcome, tn_value description)
{
    tn_value cause = tn_value_member(description, "cause");
    tn_value kept = {0};
    Buf document;

    if (tn_value_type(cause) == TN_TYPE_NONE)
        return kept;
    buf_init(&document, &outcome->allocator, SIZE_MAX);
    if (described_write(cause, &document))
        kept = keep_value(outcome, tn_value_view(document.data, document.length));
    if (document.failed)
        outcome->arena.failed = true;
    buf_release(&document);
    return kept;
}

void outcome_set_error(tn_outcome *outcome, const OutcomeError *error)
{
    tn_value guest = error->from_guest;
    const char *frame = NULL;

    if (error->source)
        frame = source_frame(&outcome->arena, error->source, error->span);
    outcome->error = (tn_error){
        .name =
            keep_member(outcome, error->name, error->name ? strlen(error->name) : 0, guest, "name"),
        .message = keep_member(outcome, error->message, error->message_length, guest, "message"),
        .code = keep_code(outcome, error),
        .stack = keep_member(outcome, error->stack, error->stack_length, guest, "stack"),
        .frame = frame ? frame : "",
        .hint =
            keep_member(outcome, error->hint, error->hint ? strlen(error->hint) : 0, guest, "hint"),
        .line = error->position.line,
        .column = error->position.column,
        .character = error->position.character,
        .retryable = error->retryable || tn_value_bool(tn_value_member(guest, "retryable")),
        .value = keep_value(outcome, tn_value_type(error->value) != TN_TYPE_NONE
                                         ? error->value
                                         : described_value(guest)),
        .cause = keep_cause(outcome, guest)};
    outcome->has_error = true;
}

/* ---- the lists ---- */

/* Room for one more of an array in the arena. */
static void *grown(tn_outcome *outcome, void *items, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return items;
    size_t more = *capacity ? *capacity * 2 : 8;
    void *larger = arena_grow(&outcome->arena, items, count * bytes, more * bytes);
    if (larger)
        *capacity = more;
    return larger;
}

static const char *keep_if_any(tn_outcome *outcome, const char *text)
{
    return text ? keep_string(outcome, text) : NULL;
}

void outcome_give_finding(tn_outcome *outcome, const tn_finding *finding)
{
    if (outcome->finding_count >= 2 * FINDINGS_MAX)
        return;
    tn_finding *findings = grown(outcome, outcome->findings, outcome->finding_count,
                                 &outcome->finding_capacity, sizeof *findings);
    if (!findings)
        return;
    outcome->findings = findings;
    tn_finding *kept = &findings[outcome->finding_count++];
    *kept = *finding;
    kept->code = keep_string(outcome, finding->code);
    kept->message = keep_string(outcome, finding->message);
    kept->file = keep_if_any(outcome, finding->file);
    kept->did_you_mean = keep_if_any(outcome, finding->did_you_mean);
    kept->declaration = keep_if_any(outcome, finding->declaration);
    kept->edit = keep_if_any(outcome, finding->edit);
}

void outcome_add_finding(tn_outcome *outcome, const char *code, tn_severity severity,
                         const Source *source, Span span, const char *message)
{
    Position start = source_position(source, span.start);
    Position end = source_position(source, span.end > span.start ? span.end : span.start);
    tn_finding finding = {.code = code,
                          .severity = severity,
                          .message = message,
                          .line = start.line,
                          .column = start.column,
                          .character = start.character,
                          .end_line = end.line,
                          .end_column = end.column};

    outcome_give_finding(outcome, &finding);
}

void outcome_add_effect(tn_outcome *outcome, const JournalEntry *entry)
{
    tn_effect *effects = grown(outcome, outcome->effects, outcome->effect_count,
                               &outcome->effect_capacity, sizeof *effects);
    if (!effects)
        return;
    outcome->effects = effects;
    effects[outcome->effect_count++] = (tn_effect){.name = keep_string(outcome, entry->name),
                                                   .line = entry->line,
                                                   .start_ms = entry->start_ms,
                                                   .duration_ms = entry->duration_ms,
                                                   .ok = entry->state == JOURNAL_ANSWERED,
                                                   .open = entry->state == JOURNAL_OPEN,
                                                   .error = keep_string(outcome, entry->error),
                                                   .denied = entry->state == JOURNAL_DENIED,
                                                   .original = entry->original,
                                                   .ran = keep_if_any(outcome, entry->ran)};
}

tn_status outcome_take_console(tn_outcome *outcome, const Console *console)
{
    ConsoleWalk walk = {0};
    tn_console_entry entry;
    size_t count = 0;

    while (console_next(console, &walk, &entry))
        count++;
    tn_console_entry *entries = ARENA_ARRAY(&outcome->arena, tn_console_entry, count);
    walk = (ConsoleWalk){0};
    for (size_t i = 0; entries && console_next(console, &walk, &entry); i++) {
        entries[i] = entry;
        entries[i].text = arena_text(&outcome->arena, entry.text, entry.length);
        if (!entries[i].text)
            entries = NULL;
    }
    if (!entries)
        return arena_status(&outcome->arena);
    outcome->console = entries;
    outcome->console_count = count;
    outcome->usage.console_bytes = console->written_bytes;
    outcome->usage.console_dropped_bytes = console->dropped_bytes;
    return console_status(console);
}

/* ---- the public accessors ---- */

tn_outcome_status tn_outcome_status_of(const tn_outcome *outcome)
{
    return outcome->status;
}

const char *tn_outcome_status_text(tn_outcome_status status)
{
    static const char *const texts[] = {"ok",     "refused",   "failed",    "limit",
                                        "denied", "suspended", "cancelled", "crashed"};
    return (size_t)status < sizeof texts / sizeof texts[0] ? texts[status] : "unknown";
}

tn_value tn_outcome_value(const tn_outcome *outcome)
{
    return outcome->status == TN_OUTCOME_OK ? outcome->value : (tn_value){0};
}

/* An outcome that is not `ok` always has an error, if an empty one: refused ones have findings. */
const tn_error *tn_outcome_error(const tn_outcome *outcome)
{
    static const tn_error nothing_said = {
        .name = "", .message = "", .code = "", .stack = "", .frame = "", .hint = ""};

    if (outcome->status == TN_OUTCOME_OK)
        return NULL;
    return outcome->has_error ? &outcome->error : &nothing_said;
}

size_t tn_outcome_console_count(const tn_outcome *outcome)
{
    return outcome->console_count;
}

const tn_console_entry *tn_outcome_console(const tn_outcome *outcome, size_t index)
{
    return index < outcome->console_count ? &outcome->console[index] : NULL;
}

size_t tn_outcome_finding_count(const tn_outcome *outcome)
{
    return outcome->finding_count;
}

const tn_finding *tn_outcome_finding(const tn_outcome *outcome, size_t index)
{
    return index < outcome->finding_count ? &outcome->findings[index] : NULL;
}

size_t tn_outcome_effect_count(const tn_outcome *outcome)
{
    return outcome->effect_count;
}

const tn_effect *tn_outcome_effect(const tn_outcome *outcome, size_t index)
{
    return index < outcome->effect_count ? &outcome->effects[index] : NULL;
}

const tn_usage *tn_outcome_usage(const tn_outcome *outcome)
{
    return &outcome->usage;
}
