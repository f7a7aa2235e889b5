#include "inside.h"

#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_of(const char *bytes, size_t length)
{
    char *text = malloc((length + 2) / 3 * 4 + 1), *at = text;

    if (!text)
        return NULL;
    for (size_t i = 0; i < length; i += 3) {
        size_t count = length - i < 3 ? length - i : 3;
        unsigned held = 0;
        for (size_t k = 0; k < 3; k++)
            held = held << 8 | (k < count ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            *at++ = k <= count ? digits[held >> (18 - 6 * k) & 63] : '=';
    }
    *at = '\0';
    return text;
}

ssize_t base64_read(const char *text, size_t length, char *out)
{
    ssize_t at = 0;
    unsigned bits = 0, held = 0;

    if (length % 4 != 0)
        return -1;
    for (unsigned i = 0; i < 2 && length > 0 && text[length - 1] == '='; i++)
        length--;
    for (size_t i = 0; i < length; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        if (!digit)
            return -1;
        held = held << 6 | (unsigned)(digit - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[at++] = (char)(held >> bits & 0xFF);
        }
    }
    return at;
}
