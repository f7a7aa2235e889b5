/* SHA-256 (FIPS 180-4), for what must be known again byte for byte. */
#ifndef TENON_CLI_SHA256_H
#define TENON_CLI_SHA256_H

#include <stdbool.h>
#include <stddef.h>

enum { SHA256_HEX = 64 };

/* The digest of all of it, in hexadecimal and ended by NUL. False: there is no libsodium. */
bool sha256_hex(const void *bytes, size_t length, char out[SHA256_HEX + 1]);

#endif
