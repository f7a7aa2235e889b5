/* SHA-256, by libsodium: found and loaded when the first one is asked for, so that a program that
 * keeps nothing large does not wait for it. */
#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stddef.h>

enum { DIGEST_HEX_BYTES = 65 };

/** In hexadecimal, ending in NUL. False, and "" is written: there is no libsodium here. */
bool digest_hex(const void *bytes, size_t length, char out_hex[DIGEST_HEX_BYTES]);

#endif
