/*
 * outcome: what came back.
 *
 * Everything a run leaves is gathered into one tn_outcome, which owns a copy of all of it and lives
 * on after run, program and engine. The rest of the folder shows it. In reading order:
 *
 *   outcome        the struct, and how the pipeline fills it
 *   described      thrown values, as the guest describes them, made values again
 *   console        what the program printed, head and tail, in bounded memory
 *   json_*         values as JSON text with the `$type` forms, and back
 *   outcome_json   the outcome as one JSON object (docs/outcome.schema.json)
 *   safe           text of a program, made harmless for a terminal or a model
 *   display        values as text to read: whole, cut to a budget, or over lines; and their shape
 *   table          an array of flat objects as a table
 *   outcome_text   the outcome for a person
 *   outcome_model  the outcome for a model, within a budget of tokens
 *
 * The invariant: **what is shown is whole or says what is missing.** JSON is never cut; text is cut
 * between elements and characters only, and each cut carries its count. And nothing a program made
 * reaches a terminal raw: every text of its goes through `safe` or a JSON escape.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "arena.h"
#include "console.h"
#include "findings.h"
#include "journal.h"

struct tn_outcome {
    tn_allocator allocator;
    Arena arena; /* all below lives in it */
    tn_outcome_status status;
    tn_value value;
    bool has_error;
    tn_error error;
    tn_console_entry *console;
    size_t console_count;
    tn_finding *findings;
    size_t finding_count, finding_capacity;
    tn_effect *effects;
    size_t effect_count, effect_capacity;
    tn_usage usage;
    char run[RUN_ID_BYTES]; /* "": in no journal */
};

/* What ended a run. Everything is copied; what is NULL or zero is left to `from_guest`, if there is
 * one, and is empty otherwise. */
typedef struct OutcomeError {
    tn_value from_guest; /* how the guest describes what was thrown (value.h of the guest) */
    tn_value value;      /* the thrown value itself */
    const char *name;
    const char *message;
    size_t message_length;
    const char *code;
    const char *stack;
    size_t stack_length;
    const char *hint;
    const Source *source; /* for the frame of `span`; NULL: no frame */
    Span span;
    Position position; /* zeros: not known */
    bool retryable;
} OutcomeError;

tn_status outcome_new(const tn_allocator *allocator, tn_outcome **out_outcome);

/* Filling it. Running out of memory is sticky and told by outcome_state. */

void outcome_set_status(tn_outcome *outcome, tn_outcome_status status);

/** One value of the profile, copied. Errors: TN_ERR_ARGUMENT (malformed), TN_ERR_NOMEM. */
tn_status outcome_set_value(tn_outcome *outcome, const uint8_t *bytes, size_t length);

void outcome_set_error(tn_outcome *outcome, const OutcomeError *error);
void outcome_add_finding(tn_outcome *outcome, const char *code, tn_severity severity,
                         const Source *source, Span span, const char *message);
/** The same as it is to be read; all text is copied. */
void outcome_give_finding(tn_outcome *outcome, const tn_finding *finding);
void outcome_add_effect(tn_outcome *outcome, const JournalEntry *entry);

/** Copies what the console kept, and its part of the usage (so set that before). */
tn_status outcome_take_console(tn_outcome *outcome, const Console *console);
void outcome_set_usage(tn_outcome *outcome, const tn_usage *usage);

/** What it is called in its journal. */
void outcome_set_run(tn_outcome *outcome, const char run[RUN_ID_BYTES]);

/** TN_OK if all that was put in is in it. */
tn_status outcome_state(const tn_outcome *outcome);

#endif
