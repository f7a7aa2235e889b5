/* Is an outcome what a case's head says? */
#ifndef EXPECT_H
#define EXPECT_H

#include "case.h"
#include "host.h"

typedef struct Ending {
    const Case *one;
    const tn_outcome *outcome;
    const tn_limits *limits; /* that were in force */
    const Meter *meter;
    double elapsed_ms;
} Ending;

/**
 * Does one of the alternatives of `expect` hold, and every `also`? If not, `out_why` says what
 * happened instead.
 */
bool expect_holds(const Ending *ending, char *out_why, size_t why_size);

/** What must be so of any outcome: its JSON is JSON and whole, its texts are within their bounds.
 */
bool expect_sound(const Ending *ending, char *out_why, size_t why_size);

/** One line: status, error or value. */
void expect_describe(const tn_outcome *outcome, char *out, size_t size);

#endif
