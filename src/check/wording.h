/* From facts to sentences: what a diagnostic says, in our own words. */
#ifndef WORDING_H
#define WORDING_H

#include "provider.h"

/** The sentences, by code. */
typedef struct Wording {
    unsigned code;
    signed char suggestion; /* which word is the name that was probably meant; -1: none */
    signed char wrong;      /* and which one stands in the text in its place; -1: unknown */
    const char *text; /* {0} a word, {*} {+} all from the third on, {@} the program's own text */
} Wording;

/** NULL if the code has no sentence of its own. */
const Wording *wording_of(unsigned code);

/**
 * Make a finding of a diagnostic; its span is that of the diagnostic and is yet to be led back to
 * the program. `text` is what the diagnostic's places refer to. NULL if the arena failed.
 */
CheckFinding *wording_finding(Arena *arena, const Diagnostic *diagnostic, const char *text,
                              size_t length);

#endif
