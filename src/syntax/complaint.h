/*
 * What the scanner and the parser find wrong, while it is not yet sure that it counts: looking
 * ahead makes complaints that are taken back. At the end they become findings, with words.
 */
#ifndef COMPLAINT_H
#define COMPLAINT_H

#include "findings.h"
#include "token.h"

typedef struct Complaint {
    uint32_t start;
    uint32_t end;
    uint16_t code;    /* TypeScript's number */
    uint16_t token;   /* the one expected or meant, if the words name one */
    const char *text; /* what the words name otherwise */
} Complaint;

typedef struct Complaints {
    Arena *arena;
    Complaint *at;
    uint32_t count;
    uint32_t capacity;
    bool fresh; /* one was made since the last node was finished */
} Complaints;

/* Kept apart from what programs that are right do. */
#define SELDOM __attribute__((cold))

/** A complaint at the start of the one before it is dropped: it is that one's consequence. */
SELDOM void complain(Complaints *complaints, Complaint complaint);

/** Make the words and hand all of them over. */
void complaints_give(const Complaints *complaints, const Source *source, Findings *findings);

#endif
