/*
 * Regular expressions of ECMA-262 on the host's side, by PCRE2.
 *
 * A pattern comes from outside twice over: from a schema that nobody has read, against a text that
 * a program made. It is translated where the dialects differ, nothing is passed on that PCRE2 knows
 * and ECMA-262 does not (verbs, possessive and atomic groups, recursion, callouts), and a search
 * gives up after a number of steps and a size of heap.
 *
 * What is taken: the grammar of ECMA-262 with the `u` flag, and the escapes of punctuation and the
 * loose braces and brackets that it allows without. Not taken, and told: lookbehind whose length
 * is not fixed, lone surrogates, escapes of letters that mean nothing, inline flags. One known
 * difference: a group inside a repetition keeps its last capture, where ECMA-262 forgets it.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include "arena.h"
#include "buf.h"

typedef struct Pattern Pattern;

typedef enum PatternVerdict { PATTERN_NO, PATTERN_YES, PATTERN_GAVE_UP } PatternVerdict;

/**
 * Make a pattern ready. On TN_ERR_ARGUMENT `*out_problem` says, in constant text, why it is not
 * taken.
 * Ownership: everything is in the arena.
 * Errors:    TN_ERR_ARGUMENT, TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status pattern_new(Arena *arena, const char *text, size_t length, Pattern **out_pattern,
                      const char **out_problem);

#define PATTERN_NOT_ECMA "not a regular expression of ECMA-262"

/** Write a pattern, which is UTF-8, in PCRE2's dialect. False, and why, if it cannot be. */
bool pattern_translate(const char *text, size_t length, Buf *out, const char **out_problem);

/** What searches need, used by one thread at a time and for any number of patterns. */
typedef struct Matcher {
    const tn_allocator *allocator;
    void *context; /* made at the first search */
    void *data;
} Matcher;

void matcher_init(Matcher *matcher, const tn_allocator *allocator);
void matcher_release(Matcher *matcher);

/** Is there a match anywhere in the text? It gives up after a number of steps, a size of heap, or
 * when memory is refused. */
PatternVerdict pattern_match(const Pattern *pattern, Matcher *matcher, const char *text,
                             size_t length);

#endif
