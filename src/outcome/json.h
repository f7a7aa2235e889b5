/*
 * Values as JSON text, with the `$type` forms of docs/values.md for what JSON has no word for. The
 * writer walks with a stack of its own in allocated memory: nesting costs no native stack.
 */
#ifndef JSON_H
#define JSON_H

#include "buf.h"
#include "value.h"

/** Check a value's document and write the value. TN_ERR_ARGUMENT if it is malformed. */
tn_status value_json(const tn_allocator *allocator, tn_value value, Buf *out);

/** The same with an index of its document at hand. The Buf's limit is what stops shared graphs. */
tn_status json_write(const ValueIndex *index, const tn_allocator *allocator, tn_value value,
                     Buf *out);

/** More than a document's JSON can take, unless its sharing explodes. */
size_t json_limit(size_t document_bytes);

/* ---- parts, for other texts ---- */

/** A JSON string: UTF-8 as it is, what is not UTF-8 as U+FFFD. */
void json_put_string(Buf *out, const char *text, size_t length);

/** The inside of one, without quotes. */
void json_put_escaped(Buf *out, const char *text, size_t length);

/** Base64, without quotes. */
void json_put_base64(Buf *out, const uint8_t *bytes, size_t length);

/** A JSON number; what JSON has no number for is null. */
void json_put_number(Buf *out, double number);

/** A date as Date.prototype.toISOString writes it. */
void json_put_iso_date(Buf *out, double unix_ms);

/** The digits of a big integer: decimal up to 1024 bytes of it, hexadecimal above. */
void json_put_bigint(Buf *out, const Item *item);

#endif
