/*
 * The eraser: a program without its types.
 *
 * What only types need becomes blanks, in a copy of the text: every token that stays keeps its byte
 * offset, its line and its column (a character of several bytes becomes spaces of as many bytes and
 * UTF-16 units). Where a blank would let two statements run together, a `;` stands in it.
 *
 * What has a meaning at run time and no form in JavaScript is written as the TypeScript compiler
 * writes it: enums, namespaces, parameter properties, `import a = b.c`. Such text is put where the
 * original stood, over its blanks as far as these go; beyond that the rest of that line moves to
 * the right. No line ever becomes another: a place in the result is on the line it was on,
 * and erased_place() gives its offset in the program. Imports of which nothing is used as a value
 * vanish, as they do with the compiler.
 *
 * What an engine of ES2023 modules cannot do is said in a finding and still written as well as can
 * be: decorators, `accessor`, `import a = require()`, `export =`.
 *
 * Cost: linear in the text; of what is inserted, the order is found by merging what is
 * nearly in order.
 */
#ifndef ERASE_H
#define ERASE_H

#include "syntax.h"

/* What there was to rewrite, not only to blank out. */
typedef enum Lowered {
    LOWERED_ENUM = 1 << 0,
    LOWERED_NAMESPACE = 1 << 1,
    LOWERED_PARAMETER_PROPERTY = 1 << 2,
    LOWERED_IMPORT_EQUALS = 1 << 3,
    LOWERED_EXPORT_EQUALS = 1 << 4,
    LOWERED_PATTERN = 1 << 5,     /* `export const { a } = b` of a namespace */
    LOWERED_PARENTHESES = 1 << 6, /* some were needed that were not there, or taken away */
    LOWERED_BODY = 1 << 7,        /* an accessor had none */
} Lowered;

/* What stands from `begin` to `end` in the result was put in for what stood at `place` in the
 * program; from `end` on, offsets are `shift` more than in the program. */
typedef struct ErasedShift {
    uint32_t begin;
    uint32_t end;
    uint32_t place;
    uint32_t shift;
} ErasedShift;

typedef struct Erased {
    const char *text; /* ends in NUL */
    size_t length;
    uint32_t lowered; /* Lowered */
    const ErasedShift *shifts;
    size_t shift_count;
} Erased;

/**
 * Take the types out of a program that parsed without findings.
 *
 * Ownership: the result lives in the arena.
 * Errors:    TN_ERR_LIMIT, TN_ERR_NOMEM, as the arena tells.
 */
tn_status erase_types(Arena *arena, const Source *source, SourceFile *file, Findings *findings,
                      Erased *out_erased);

/** Where in the program something stands that stands at `offset` of the result. */
uint32_t erased_place(const Erased *erased, uint32_t offset);

#endif
