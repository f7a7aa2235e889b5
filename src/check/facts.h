/* The facts in a diagnostic's text: the names and types it quotes, and the numbers it gives. */
#ifndef FACTS_H
#define FACTS_H

#include "arena.h"

/**
 * What stands between quotes, in order, and what is listed at the end; after it the numbers outside
 * of quotes, as text.
 * NULL and 0 if there are none, or if the arena failed.
 */
const char **facts_of(Arena *arena, unsigned code, const char *text, size_t length,
                      size_t *out_count);

#endif
