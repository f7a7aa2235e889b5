/* Does a value, given as JSON, have a type, given as a shape? */
#ifndef HOLDS_H
#define HOLDS_H

#include "check.h"
#include "json_tape.h"

/** A sentence on the first place where it does not, or NULL. What the shape does not tell is right.
 * `name` is what the value is called. Running out of memory is told by the arena. */
const char *holds(Arena *arena, const char *name, const Tape *tape, const Shape *shape);

#endif
