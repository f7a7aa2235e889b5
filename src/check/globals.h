/*
 * The declarations of what a realm has beyond the language (realm.d.ts, in the library as bytes),
 * without those that a host's own declarations take the place of.
 */
#ifndef GLOBALS_H
#define GLOBALS_H

#include "check.h"

/** The text; in the arena if anything was taken out. Text NULL: the arena failed. */
Declaration globals_for(Arena *arena, const Declaration *declarations, size_t count);

/** Does a declaration's text declare a global value of that name? */
bool globals_declares(const Declaration *declaration, const char *name, size_t length);

#endif
