/*
 * UTF-8 (RFC 3629), and WTF-8: the same with lone surrogates as three bytes each, for the strings
 * that JavaScript can make and Unicode has no form for. In WTF-8 a high surrogate is never followed
 * by a low one: such a pair is one code point of four bytes.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool utf8_valid(const void *text, size_t length);
bool wtf8_valid(const void *text, size_t length);

/** Decode the first code point. Returns its bytes; 0 if there is none or it is not UTF-8. */
size_t utf8_decode(const void *text, size_t length, uint32_t *out_code);

/** The same, surrogates accepted. */
size_t wtf8_decode(const void *text, size_t length, uint32_t *out_code);

/** Encode a code point up to 0x10FFFF, surrogates too. Returns the bytes written, 1 to 4. */
size_t utf8_encode(uint32_t code, uint8_t out_bytes[4]);

/** UTF-16 code units of UTF-8 or WTF-8 text. A byte that is neither counts as one. */
size_t utf8_units(const void *text, size_t length);

/** Code points of UTF-8 or WTF-8 text. A byte that is neither counts as one. */
size_t utf8_points(const void *text, size_t length);

/** The largest character boundary that is not past `at`. */
size_t utf8_floor(const void *text, size_t length, size_t at);

/** Byte offset of the `units`-th UTF-16 unit; `length` if the text is shorter. */
size_t utf8_offset_of_unit(const void *text, size_t length, size_t units);

#endif
