/* Providers: what is behind a package's functions.
 *
 * A provider implements call.h's Provider and is known to the engine by that alone; it never sees a
 * realm. Here for now is the one every embedder uses, functions in C. The invariant: a provider
 * answers each call once, by returning or by finishing it later, and reaches the program in no
 * other way. */
#ifndef TENON_C_FUNCTION_H
#define TENON_C_FUNCTION_H

#include "registry.h"

/** A provider that calls `function(user, call)`. Its memory is the arena's. */
tn_status c_function_provider(Arena *arena, tn_function function, void *user,
                              Provider *out_provider);

#endif
