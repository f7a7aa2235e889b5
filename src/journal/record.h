/* One thing that happened, on its way from a run to the store: a head, then its parts. */
#ifndef RECORD_H
#define RECORD_H

#include <stddef.h>
#include <stdint.h>

enum { RUN_ID_BYTES = 16, RECORD_PARTS = 6 };

/* These numbers are in files: they stay. */
typedef enum RecordKind {
    RECORD_BEGIN = 1, /* name, language, label, policy, the run before it, source */
    RECORD_END,       /* status, what there is to say of it (a CBOR map) */
    RECORD_ASKED,     /* name, arguments (a CBOR sequence) */
    RECORD_MADE,      /* what ran in its place, the rule that asked, the first argument */
    RECORD_ANSWERED,  /* nothing, the result */
    RECORD_FAILED,    /* nothing, the error */
    RECORD_DENIED,
    RECORD_CANCELLED
} RecordKind;

enum {
    RECORD_READ_ONLY = 1,
    RECORD_DIRECT = 2,  /* asked and made at one time: there is no RECORD_MADE */
    RECORD_PERSON = 4,  /* somebody was asked, and said yes */
    RECORD_BOUND = 8,   /* the host has added to the first argument */
    RECORD_DURABLE = 16 /* of a RECORD_BEGIN: the level */
};

typedef struct Record {
    uint32_t bytes; /* of all, parts included */
    uint8_t kind, flags;
    char run[RUN_ID_BYTES];
    uint32_t call; /* from 1 */
    uint32_t of;   /* the call whose original it is; 0: none */
    uint32_t line, object;
    double time_ms; /* since the run began; of RECORD_BEGIN: since 1970 */
    uint32_t parts[RECORD_PARTS];
} Record;

#endif
