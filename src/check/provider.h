/*
 * What stands behind the interface: somebody who knows the types. The first provider is the real
 * compiler (tsc.c).
 *
 * A provider gets one text, which the wrapper made of the program, and declarations beside it. It
 * answers with diagnostics as facts (a code, a place, the names and types concerned) and no words
 * of its own, and with the shapes of the types it was asked for.
 */
#ifndef PROVIDER_H
#define PROVIDER_H

#include "check.h"

/** One thing that is wrong. Places are offsets into the text, or into the declarations' text. */
typedef struct Diagnostic {
    struct Diagnostic *next;
    unsigned code; /* TypeScript's */
    int file;      /* -1: the text; else which of the declarations; -2: the library */
    Span span;
    const char **words; /* names and types, in the order of the code's own sentence */
    size_t word_count;
    struct Diagnostic *reasons; /* why, more precise ones inside */
    struct Diagnostic *related; /* places that have to do with it */
} Diagnostic;

/** A type that is to be looked at. */
typedef struct TypeQuestion {
    uint32_t at;  /* offset into the text: of a name or the first token of an expression */
    bool returns; /* not the type there but what a function of that type returns */
    bool always;  /* also of a program that is wrong */
} TypeQuestion;

/** Diagnostics were made: the types of which places in the text would explain them? Returns how
 * many were put into `out_places`. */
typedef size_t ProviderFollow(void *context, const Diagnostic *diagnostics, uint32_t *out_places,
                              size_t most);

enum { FOLLOW_MAX = 8 };

typedef struct ProviderJob {
    const char *text;
    size_t length;
    bool parsed; /* its grammar is known to be right */
    const Declaration *declarations;
    size_t declaration_count;
    bool check_declarations;
    size_t skipped_declarations; /* the first ones, which are ours: not checked */
    const TypeQuestion *questions;
    size_t question_count;
    ProviderFollow *follow; /* may be NULL */
    void *follow_context;
} ProviderJob;

typedef struct ProviderReply {
    Diagnostic *diagnostics;          /* of errors only, in the order they were made */
    const Shape **shapes;             /* one for each question; NULL: it was not asked */
    const char *followed[FOLLOW_MAX]; /* the types that were followed up, as text */
    CheckLimit limit;                 /* with TN_ERR_LIMIT */
} ProviderReply;

typedef struct Provider Provider;

typedef struct ProviderOperations {
    const char *name; /* "tsc" */
    tn_status (*check)(Provider *provider, Arena *arena, const ProviderJob *job,
                       ProviderReply *out_reply);
    tn_status (*warm)(Provider *provider);
    void (*describe)(Provider *provider, Buf *out); /* for the doctor: a sentence */
    void (*free)(Provider *provider);
} ProviderOperations;

struct Provider {
    const ProviderOperations *operations;
};

#endif
