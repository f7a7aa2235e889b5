/* Markdown fences around a program: models write them, engines do not parse them. */
#ifndef FENCE_H
#define FENCE_H

#include "source.h"

/**
 * Blank out the fences in `text`, which is the source's own copy, and note what was found in
 * `source`. False if the arena failed.
 */
bool fence_remove(Arena *arena, char *text, Source *source);

#endif
