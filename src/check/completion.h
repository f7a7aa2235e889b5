/*
 * The value of a program that ends in its last statement, by the rules of the language: that of the
 * last expression statement that ran (ECMA-262, UpdateEmpty). Which of them may be the last is said
 * as far as the text alone tells; where it does not, it is `unknown` and nothing is said.
 */
#ifndef COMPLETION_H
#define COMPLETION_H

#include "source.h"
#include "tree.h"

typedef struct Completion {
    const Node **values; /* expression statements whose value may be the program's, in order */
    size_t count;
    bool unknown; /* it may come from elsewhere too */
    bool missing; /* there is a way through the program that ends without one */
    Span gap;     /* and where */
} Completion;

/** Running out of memory is told by the arena. */
void completion_find(Arena *arena, const NodeList *statements, Completion *out_completion);

#endif
