/* SipHash-2-4 (Aumasson and Bernstein 2012), twice with two keys. */
#include "hash.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static void mix(uint64_t v[4], int rounds)
{
    while (rounds-- > 0) {
        v[0] += v[1];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[0] = rotate(v[0], 32);
        v[2] += v[3];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[2] = rotate(v[2], 32);
    }
}

static uint64_t sip(const uint64_t key[2], const uint8_t *bytes, size_t length)
{
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                     key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
    uint64_t word;

    for (size_t at = 0;; at += 8) {
        size_t left = length - at;
        word = 0;
        memcpy(&word, bytes + at, left < 8 ? left : 8);
        if (left < 8)
            word |= (uint64_t)length << 56;
        v[3] ^= word;
        mix(v, 2);
        v[0] ^= word;
        if (left < 8)
            break;
    }
    v[2] ^= 0xff;
    mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Without randomness (which does not happen once a system is up) paths could be foreseen, which
 * still leads to nothing but a wrong finding for oneself. */
void hash_key_draw(HashKey *out_key)
{
    if (getrandom(out_key, sizeof *out_key, 0) != (ssize_t)sizeof *out_key) {
        for (int i = 0; i < 4; i++)
            out_key->words[i] = clock_monotonic_ns() * 0x9e3779b97f4a7c15u + (uint64_t)i;
    }
}

void hash_hex(const HashKey *key, const void *bytes, size_t length, char out_hex[HASH_HEX_BYTES])
{
    snprintf(out_hex, HASH_HEX_BYTES, "%016llx%016llx",
             (unsigned long long)sip(key->words, bytes, length),
             (unsigned long long)sip(key->words + 2, bytes, length));
}
