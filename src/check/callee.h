/* Which function a finding is about: what should have been called otherwise. */
#ifndef CALLEE_H
#define CALLEE_H

#include "source.h"
#include "tree.h"

typedef struct Callee {
    uint32_t place; /* of the name's first byte; of the whole expression's where there is none */
    Span text;      /* what is called, as it stands in the program */
} Callee;

/** The innermost call (or `new`) that a span is an argument of, or whose name it is. */
bool callee_of(const SourceFile *file, Span span, Callee *out_callee);

#endif
