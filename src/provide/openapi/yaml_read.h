/* YAML as documents of services are written in, to values.
 *
 * Scalars without quotes are what the core schema of YAML 1.2 says: null, true and false, numbers,
 * and everything else text ("no", "on" and dates stay what they are; integers keep their digits).
 * Keys are text whatever they look like. Of several entries of one key the last stands. A merge key
 * (<<) adds what is not there. An alias is what its anchor holds, written out again. */
#ifndef OPENAPI_YAML_H
#define OPENAPI_YAML_H

#include "arena.h"
#include "buf.h"

/**
 * Append the CBOR of the first document in the text. What aliases add up to is bounded by the limit
 * of `out`; what anchors hold by the arena's.
 *
 * Errors: TN_ERR_ARGUMENT (`*out_why` says what is wrong and where, in the arena),
 *         TN_ERR_UNAVAILABLE (no libyaml), TN_ERR_LIMIT, TN_ERR_NOMEM.
 */
tn_status yaml_read(Buf *out, Arena *arena, const char *text, size_t length, const char **out_why);

#endif
