/*
 * declare: what functions are declared to take, held against what they are called with.
 *
 * A host declares its functions in TypeScript, for the check (tn_engine_add_declarations). The same
 * text is read here once, with our own parser, and each C function that it declares gets a check of
 * its arguments: programs that are not typed, values that are `any` and runs without a check can
 * pass anything. Read in this order:
 *
 *   names      the declarations by their names, in the scopes they stand in
 *   shape.h    what is left of a type: the shape that values must have
 *   make       from types to shapes; make_object for what has members, and the language's own types
 *   function   the signatures of a function by its full name, in whatever form it is declared
 *   complete   what is declared as a global and not as a module, or the other way round, or not
 *              at all: a program may use each package in each way
 *   hold       a value held against a shape, in the bytes it crosses in
 *   explain    what does not fit, in words: path, what was expected, what is there
 *
 * The invariant: **never a false alarm.** What the compiler lets through fits here as well; what is
 * not understood (conditional types, classes, names that are not declared) fits anything. A shape
 * says less than its type, never more.
 *
 * And work is bounded: types by their number and nesting, whatever they recur to; a value by steps
 * and depth, and one that takes more is refused with those words, never taken for fitting.
 */
#ifndef DECLARE_H
#define DECLARE_H

#include "registry.h"

typedef struct DeclareText {
    const char *text;
    size_t length;
} DeclareText;

/**
 * Read declarations. Give each function and method of the registry that has no check yet one by its
 * declaration. Those that are not declared, or in a way that is not understood, go without.
 *
 * Declarations that are missing are appended to `out_missing`: with them every package of the
 * registry is a global and a module.
 *
 * Uses the stack deeply, as parse_module does. Checks live in the registry's arena, which is
 * closed; the texts are borrowed for the call. Errors: TN_ERR_NOMEM.
 */
tn_status declare_checks(Registry *registry, const DeclareText *texts, size_t count,
                         Buf *out_missing);

#endif
