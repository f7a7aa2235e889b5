/* How far is one word from another? */
#ifndef NEAR_H
#define NEAR_H

#include <stdbool.h>
#include <stddef.h>

enum { NEAR_BYTES_MAX = 64 };

/** Letters added, left out, changed or swapped with the next one; case does not count. More than
 * `most`: `most` + 1. */
unsigned near_distance(const char *a, const char *b, unsigned most);

/** How many of them a word of this length may have and still be meant. */
unsigned near_most(size_t length);

#endif
