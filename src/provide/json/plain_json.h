/* JSON as others write it, to values and back. No `$type` forms: what comes from outside is data
 * and cannot make dates, references or errors by its spelling.
 *
 * To values: as JSON.parse, but an integer that a number cannot hold exactly is a big integer, so
 * that identifiers keep their digits. The last of several members of one name stands.
 *
 * To JSON: as JSON.stringify; but big integers are written with their digits, bytes as base64, a
 * Set as an array, a Map with text keys as an object; NaN and infinities are refused, and so are
 * objects of the host. */
#ifndef TENON_PLAIN_JSON_H
#define TENON_PLAIN_JSON_H

#include "buf.h"

enum { PLAIN_JSON_DEPTH_MAX = 1000, PLAIN_JSON_DEPTH_OUT = 400 };

/** Append the CBOR of the one value in the text. TN_ERR_ARGUMENT: not JSON; TN_ERR_LIMIT: nested
 * too deep, or more than `out` may hold; TN_ERR_NOMEM. */
tn_status plain_json_read(Buf *out, const char *json, size_t length);

/** Append JSON. TN_ERR_ARGUMENT: `out_why` has been appended a sentence, with the path. */
tn_status plain_json_write(Buf *out, tn_value value, Buf *out_why);

void plain_json_string(Buf *out, const char *text, size_t length);
void plain_json_base64(Buf *out, const uint8_t *bytes, size_t length);
/** Decode base64 of either alphabet, padding or not. False if it is none. */
bool plain_json_unbase64(Buf *out, const char *text, size_t length);

#endif
