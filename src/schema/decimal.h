/*
 * Numbers as JSON has them: decimal, exact. 0.3 is a multiple of 0.1 and 1.0 is an integer,
 * whatever binary fractions make of it. A double stands for its shortest decimal.
 */
#ifndef DECIMAL_H
#define DECIMAL_H

#include "datum.h"

/** -1, 0 or 1. Exact but where a big integer above 2^119 meets a double: then to 53 bits. */
int number_compare(const Datum *a, const Datum *b);

/** Has it no fraction? */
bool number_is_integer(const Datum *number);

/**
 * Is it `step` times an integer? `step` is above 0. Exact; true, which refuses nothing, where a big
 * integer is held against a step above 2^119.
 */
bool number_is_multiple(const Datum *number, const Datum *step);

#endif
