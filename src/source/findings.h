/* What is wrong with a program, found before it runs. Findings are results, never failures. */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "source.h"

/* More than anybody reads; a program with more has one cause many times. */
enum { FINDINGS_MAX = 500 };

typedef struct Finding {
    struct Finding *next;
    const char *code; /* "TN1003"; constant text or in the arena */
    tn_severity severity;
    Span span;
    const char *message;
    /* what only a check knows; NULL without it */
    const char *file;         /* a declaration file: then the span is meaningless here, and */
    Position start, end;      /* these say where in it */
    const char *did_you_mean; /* a name */
    const char *declaration;  /* the declaration it concerns, on one line */
    const char *edit;         /* what to put in the span's place */
} Finding;

typedef struct Findings {
    Arena *arena;
    Finding *first;
    Finding *last;
    size_t count;  /* listed */
    size_t errors; /* found, listed or not */
} Findings;

void findings_init(Findings *findings, Arena *arena);

/** The code is borrowed, the message copied. Running out of memory is told by the arena. */
void findings_add(Findings *findings, const char *code, tn_severity severity, Span span,
                  const char *message);

/** The same with all that a check knows. All text is borrowed: it lives as long as the arena. */
void findings_give(Findings *findings, const Finding *finding);

#endif
