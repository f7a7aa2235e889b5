/*
 * journal: the ordered record of what entered and left a run.
 *
 * Every call is written before it is made and when it is answered: its function, line, arguments,
 * result or error, times, what ran in its place and who allowed it. The effects of an outcome are
 * read from it. It has three levels. `memory`: entries of this process, without arguments and
 * results, gone with the run. `normal`: copied to a store on disk as well, in groups, behind the
 * run's back. `durable`: a call is made only when it is on disk that it was asked for.
 *
 * Reading order: this file and journal.c (one run's), log.h (many runs' records, and the thread
 * that takes them to the disk), record.h (one of them), store.h (the file), recall.h (reading it
 * back), public.c (tn_journal). digest.h is for values too large to keep.
 *
 * What is written is what the program said and what it is told, nothing else: what a provider adds
 * after the call has left (credentials above all) is never here.
 *
 * The invariant: **an entry is written before its call is made and closed once.** What is not in
 * the journal does not happen. An entry that is still open when the run ends is a call of which
 * nobody knows whether it happened.
 */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "arena.h"
#include "record.h"

typedef enum JournalState {
    JOURNAL_OPEN, /* asked; no answer yet */
    JOURNAL_ANSWERED,
    JOURNAL_FAILED, /* answered with an error */
    JOURNAL_DENIED  /* never reached its provider, or was refused by it: it did not happen */
} JournalState;

typedef struct JournalEntry {
    const char *name; /* of the function; borrowed from the engine */
    unsigned line;
    JournalState state;
    bool read_only;
    bool made;          /* it reached its provider, or what runs in its place */
    bool original;      /* called by what stands for it, not by the program */
    uint32_t of;        /* of an original: the number of the call it stands behind, from 1 */
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
    /* on disk as well: */
    tn_journal *log; /* NULL: not */
    char run[RUN_ID_BYTES];
    bool durable, ended;
    unsigned faults; /* of the log, when it began */
} Journal;

/* What is said of a run when it begins. NULL: nothing. */
typedef struct JournalBeginning {
    double time_ms; /* since 1970 */
    const char *name, *language, *label, *policy;
    const char *after; /* the run whose realm goes on */
    const char *source;
    size_t source_length;
} JournalBeginning;

void journal_init(Journal *journal, const tn_allocator *allocator, size_t limit_entries);
void journal_release(Journal *journal);

/**
 * A call is about to be made. `*out_index` names it from now on.
 * Errors: TN_ERR_LIMIT (the journal is full), TN_ERR_NOMEM; the call must not be made then.
 */
tn_status journal_ask(Journal *journal, const char *name, unsigned line, bool read_only,
                      double now_ms, size_t *out_index);

/** What it was asked with. `direct`: it is made at once, and journal_made is not to say when. */
void journal_arguments(Journal *journal, size_t index, bool direct, uint32_t object,
                       const tn_value *arguments, size_t count);

/* How a call came to be made. */
typedef struct JournalMaking {
    const char *ran;  /* what runs in its place; NULL: it runs itself */
    const char *rule; /* that asked somebody about it, who said yes; NULL: nobody was asked */
    const tn_value *argument; /* the first one, if the host has added to it; or NULL */
    bool direct;              /* as journal_arguments has it */
} JournalMaking;

/** It is given to who answers it. False: that cannot be put on disk, and it must not be. */
bool journal_made(Journal *journal, size_t index, double now_ms, const JournalMaking *making);
/** It is the original of a replaced function, called by what stands for it: entry `of`. */
void journal_original(Journal *journal, size_t index, size_t of);

/** `result` is one value, or NULL. */
void journal_answer(Journal *journal, size_t index, double now_ms, const void *result,
                    size_t result_length);

/** The message is copied, up to a thousand bytes; closing an entry never fails. `error` is the
 * whole of it, a value, or NULL. */
void journal_fail(Journal *journal, size_t index, double now_ms, const char *message, size_t length,
                  const void *error, size_t error_length);
void journal_deny(Journal *journal, size_t index, double now_ms, const char *message, size_t length,
                  const void *error, size_t error_length);

/** Before the first entry: keep this run in a log too. False: no id could be drawn, or (if durable)
 * it could not be written. */
bool journal_begin(Journal *journal, tn_journal *log, bool durable,
                   const JournalBeginning *beginning);

/** The run is over: open entries are given their time until now. */
void journal_end(Journal *journal, double now_ms);

/** What came of it, and the end. `ending` is a value. */
void journal_conclude(Journal *journal, double now_ms, const char *status, const void *ending,
                      size_t ending_length);

/** Could something of this run not be kept? */
bool journal_is_lacking(const Journal *journal);

const JournalEntry *journal_entry(const Journal *journal, size_t index);

#endif
