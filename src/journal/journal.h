/*
 * journal: the ordered record of what entered and left a run.
 *
 * For now it is the calls of one run, in memory: asked, then answered, failed or denied, each with
 * its function, line, time and duration. The effects of an outcome are read from it.
 *
 * Where it goes: every call's arguments and result, time, randomness and the order of arrivals are
 * written here before the program sees them, in a store that can be on disk, so that a run can be
 * shown, audited, run again bit for bit, and resumed. The order of the functions below is made for
 * that: `journal_ask` comes before the provider is reached and may refuse; what is not in the
 * journal does not happen.
 *
 * The invariant: **an entry is written before its call is made and closed once.** An entry that is
 * still open when the run ends is a call of which nobody knows whether it happened.
 */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "arena.h"

typedef enum JournalState {
    JOURNAL_OPEN, /* asked; no answer yet */
    JOURNAL_ANSWERED,
    JOURNAL_FAILED, /* answered with an error */
    JOURNAL_DENIED  /* never reached its provider */
} JournalState;

typedef struct JournalEntry {
    const char *name; /* of the function; borrowed from the engine */
    unsigned line;
    JournalState state;
    bool read_only;
    bool made;          /* it reached its provider, or what runs in its place */
    bool original;      /* called by what stands for it, not by the program */
    const char *ran;    /* what ran in its place; NULL: it ran itself. Borrowed from the policy */
    double start_ms;    /* since the run began */
    double duration_ms; /* until the answer, or until now if it is open */
    const char *error;  /* "" unless failed or denied */
} JournalEntry;

typedef struct Journal {
    Arena arena;
    JournalEntry *entries;
    size_t count;
    size_t capacity;
    size_t limit;
} Journal;

void journal_init(Journal *journal, const tn_allocator *allocator, size_t limit_entries);
void journal_release(Journal *journal);

/**
 * A call is about to be made. `*out_index` names it from now on.
 * Errors: TN_ERR_LIMIT (the journal is full), TN_ERR_NOMEM; the call must not be made then.
 */
tn_status journal_ask(Journal *journal, const char *name, unsigned line, bool read_only,
                      double now_ms, size_t *out_index);

/** It is given to who answers it: its provider, or `ran` in its place. */
void journal_made(Journal *journal, size_t index, const char *ran);
/** It is the original of a replaced function, called by what stands for it. */
void journal_original(Journal *journal, size_t index);

void journal_answer(Journal *journal, size_t index, double now_ms);

/** The message is copied, up to a thousand bytes; closing an entry never fails. */
void journal_fail(Journal *journal, size_t index, double now_ms, const char *message,
                  size_t length);
void journal_deny(Journal *journal, size_t index, double now_ms, const char *message,
                  size_t length);

/** The run is over: open entries are given their time until now. */
void journal_end(Journal *journal, double now_ms);

const JournalEntry *journal_entry(const Journal *journal, size_t index);

#endif
