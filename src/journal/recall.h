/* A run as it is read back from a store: what its records say, call by call. */
#ifndef RECALL_H
#define RECALL_H

#include "arena.h"
#include "store.h"

/* Bytes of one value (or, of arguments, of several one behind the other); of a large one only how
 * many they were and their hash. */
typedef struct PastValue {
    const uint8_t *bytes; /* NULL: none, or not kept */
    size_t length;
    uint64_t left_out; /* bytes that were not kept */
    const char *sha256;
} PastValue;

typedef enum PastState {
    PAST_OPEN, /* no record says what became of it */
    PAST_ANSWERED,
    PAST_FAILED,
    PAST_DENIED,
    PAST_CANCELLED /* the run ended first */
} PastState;

typedef struct PastCall {
    const char *name;
    const char *ran, *rule; /* NULL: itself; nobody was asked */
    PastState state;
    bool read_only, made, person, bound;
    uint32_t line, of, object;
    double asked_ms, made_ms, ended_ms; /* since the run began; of what was not, the one before */
    PastValue arguments, first, reply;  /* `first` as it was handed over, if bound */
} PastCall;

typedef struct PastRun {
    const char *id, *level, *name, *language, *label, *policy, *after; /* "" where unknown */
    const char *status; /* "" while it goes on, or if its process ended */
    double begun_ms;    /* since 1970 */
    double wall_ms;
    const char *source;
    size_t source_length;
    PastValue ending;
    uint32_t call_count; /* that were made, or known so far */
    PastCall *calls;     /* NULL in a list */
} PastRun;

/**
 * The run whose id begins with `id` (NULL: the last that began), all of it in the arena. Errors:
 * TN_ERR_NOT_FOUND, TN_ERR_ARGUMENT (several begin so, or it is no store), TN_ERR_SYSTEM,
 * TN_ERR_NOMEM, with words.
 */
tn_status recall_run(const char *path, const char *id, Arena *arena, PastRun *out_run,
                     char out_fault[STORE_FAULT_BYTES]);

/** The newest runs, without their calls and sources; at most `most`. */
tn_status recall_runs(const char *path, unsigned most, Arena *arena, PastRun **out_runs,
                      size_t *out_count, char out_fault[STORE_FAULT_BYTES]);

#endif
