/* The facts in a diagnostic's text: the names and types it quotes, and the numbers it gives. */
#ifndef WORDS_H
#define WORDS_H

#include "arena.h"

/**
 * What stands between quotes, in order; after it the numbers outside of quotes, as text.
 * NULL and 0 if there are none, or if the arena failed.
 */
const char **words_of(Arena *arena, const char *text, size_t length, size_t *out_count);

#endif
