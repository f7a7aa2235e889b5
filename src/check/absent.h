/* Advice on packages of which only types are known. */
#ifndef ABSENT_H
#define ABSENT_H

#include "advice.h"

/**
 * TN1108, a warning, where the program surely imports such a package while it runs: `await
 * import("name")` among its statements at the top, before any of them branches. In a branch, a
 * function or a `try`, or with its promise kept, it may be meant.
 */
void advise_absent(const SourceFile *file, const Offer *offer, Findings *findings);

/** What is said of it, of an `import` at the head too. */
#define ABSENT_MESSAGE                                                                             \
    "this package is declared and not provided here: the program can be checked, and not run"

#endif
