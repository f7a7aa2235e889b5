/* A hash with a key drawn at random: nobody can find two texts with the same one. */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct HashKey {
    uint64_t words[4];
} HashKey;

enum { HASH_HEX_BYTES = 33 };

void hash_key_draw(HashKey *out_key);

/** 128 bits, as text that ends in NUL. */
void hash_hex(const HashKey *key, const void *bytes, size_t length, char out_hex[HASH_HEX_BYTES]);

#endif
