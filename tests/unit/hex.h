/* Bytes from hexadecimal text, for tests that say what stands in a document. */
#ifndef HEX_H
#define HEX_H

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

/** A block of exactly that size, so that a sanitizer sees a read past it. Freed with free(). */
static inline uint8_t *hex_bytes(const char *hex, size_t *out_length)
{
    size_t count = 0;
    uint8_t *bytes = malloc(strlen(hex) / 2 + 1);
    unsigned value;

    assert_non_null(bytes);
    for (; *hex; hex += 2) {
        while (*hex == ' ')
            hex++;
        assert_int_equal(sscanf(hex, "%2x", &value), 1);
        bytes[count++] = (uint8_t)value;
    }
    uint8_t *exact = malloc(count ? count : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, count);
    free(bytes);
    *out_length = count;
    return exact;
}

static inline void assert_hex(const uint8_t *bytes, size_t length, const char *hex)
{
    char text[1024] = "";
    assert_true(length * 2 < sizeof text);
    for (size_t i = 0; i < length; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    assert_string_equal(text, hex);
}

#endif
