/* The type of a JSON value, told from the value. */
#ifndef JSON_TYPE_H
#define JSON_TYPE_H

#include "json_tape.h"

/** Append the type of the value at `token`. Errors are told by the Buf. */
void json_type_put(Buf *out, const Tape *tape, uint32_t token);

#endif
