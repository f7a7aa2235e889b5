/*
 * Advice: what only a host of programs knows to look for, found on the tree alone (codes TN11xx).
 * Each is right by what stands in the text and by what the host offers; where a name could mean
 * something else, nothing is said.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include "learn.h"
#include "syntax.h"

/* A function that programs may call: "package.name", the package maybe with dots itself. */
typedef struct OfferedFunction {
    const char *name;
    bool gives_promise;
    const Learned *learned; /* what its results have looked like; NULL: not known, or promised */
} OfferedFunction;

typedef struct Offer {
    const OfferedFunction *functions;
    size_t count;
    const char *const *declared; /* packages of which only types are known */
    size_t declared_count;
    const struct Declaration *declarations; /* of the host */
    size_t declaration_count;
    const char *const *inputs; /* names that this program is given */
    size_t input_count;
    const tn_policy *policy; /* of its runs; NULL: none that is known */
} Offer;

/**
 * Look a program over.
 *
 *   TN1102  warning  a promise is dropped: neither awaited, returned nor kept
 *   TN1103  warning  a promise is put into text
 *   TN1104  error    there is no such package to import
 *   TN1105  error    the package has no such function
 *   TN1106  warning  what follows a `return` at the top is never run
 *   TN1107  warning  the program declares functions and calls none: nothing is run
 *   TN1108  warning  it surely imports, as it runs, what is only declared (absent.h)
 *   TN1109  warning  it declares and uses what nobody has (ambient.h)
 *   TN1203  note     it reads what no result of a function has had so far (unseen.h)
 *   TN1301  error    it calls what the policy denies (denied.h)
 *
 * Messages live in `arena`. Cost is linear in the tree and in what is offered for each import.
 */
void advise(Arena *arena, const SourceFile *file, const Offer *offer, Findings *findings);

/** The nearest of `words` to a misspelt one, or NULL: none is near enough to be meant. */
const char *spelling_nearest(const char *wrong, size_t length, const char *const *words,
                             size_t count);

#endif
