#include "utf8.h"

#include <string.h>

static bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Bytes that a lead byte announces; 0 for a byte that cannot lead. C0, C1 and F5.. never do. */
static size_t announced(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    if (lead >= 0xF0 && lead <= 0xF4)
        return 4;
    return 0;
}

size_t wtf8_decode(const void *text, size_t length, uint32_t *out_code)
{
    const uint8_t *at = text;
    size_t bytes = length == 0 ? 0 : announced(at[0]);

    if (bytes == 0 || bytes > length)
        return 0;
    if (bytes == 1) {
        *out_code = at[0];
        return 1;
    }
    uint32_t code = at[0] & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (!is_continuation(at[i]))
            return 0;
        code = (code << 6) | (at[i] & 0x3F);
    }
    /* Overlong forms that the lead byte alone does not show, and what is past Unicode. */
    if ((bytes == 3 && code < 0x800) || (bytes == 4 && (code < 0x10000 || code > 0x10FFFF)))
        return 0;
    *out_code = code;
    return bytes;
}

size_t utf8_decode(const void *text, size_t length, uint32_t *out_code)
{
    uint32_t code;
    size_t bytes = wtf8_decode(text, length, &code);

    if (bytes == 0 || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    *out_code = code;
    return bytes;
}

/* How many of the first bytes are ASCII, or a few less: most text is, eight bytes at a time. */
static size_t ascii_prefix(const uint8_t *text, size_t length)
{
    size_t at = 0;

    for (; length - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t eight;
        memcpy(&eight, text + at, sizeof eight);
        if (eight & 0x8080808080808080u)
            break;
    }
    return at;
}

bool utf8_valid(const void *text, size_t length)
{
    const uint8_t *at = text;
    uint32_t code;

    while (length > 0) {
        size_t ascii = ascii_prefix(at, length);
        at += ascii;
        length -= ascii;
        if (length == 0)
            break;
        size_t bytes = *at < 0x80 ? 1 : utf8_decode(at, length, &code);
        if (bytes == 0)
            return false;
        at += bytes;
        length -= bytes;
    }
    return true;
}

bool wtf8_valid(const void *text, size_t length)
{
    const uint8_t *at = text;
    bool after_high = false;

    while (length > 0) {
        uint32_t code;
        size_t bytes = wtf8_decode(at, length, &code);
        if (bytes == 0 || (after_high && code >= 0xDC00 && code <= 0xDFFF))
            return false;
        after_high = code >= 0xD800 && code <= 0xDBFF;
        at += bytes;
        length -= bytes;
    }
    return true;
}

size_t utf8_encode(uint32_t code, uint8_t out_bytes[4])
{
    if (code < 0x80) {
        out_bytes[0] = (uint8_t)code;
        return 1;
    }
    if (code < 0x800) {
        out_bytes[0] = (uint8_t)(0xC0 | (code >> 6));
        out_bytes[1] = (uint8_t)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out_bytes[0] = (uint8_t)(0xE0 | (code >> 12));
        out_bytes[1] = (uint8_t)(0x80 | ((code >> 6) & 0x3F));
        out_bytes[2] = (uint8_t)(0x80 | (code & 0x3F));
        return 3;
    }
    out_bytes[0] = (uint8_t)(0xF0 | ((code >> 18) & 0x07));
    out_bytes[1] = (uint8_t)(0x80 | ((code >> 12) & 0x3F));
    out_bytes[2] = (uint8_t)(0x80 | ((code >> 6) & 0x3F));
    out_bytes[3] = (uint8_t)(0x80 | (code & 0x3F));
    return 4;
}

/* One step of a walk that must not stop at bytes that are no text: those are one each. */
static size_t step(const uint8_t *at, size_t length, uint32_t *out_code)
{
    size_t bytes = wtf8_decode(at, length, out_code);

    if (bytes == 0) {
        *out_code = 0xFFFD;
        return 1;
    }
    return bytes;
}

size_t utf8_units(const void *text, size_t length)
{
    const uint8_t *at = text;
    size_t units = 0;

    while (length > 0) {
        uint32_t code;
        size_t bytes = step(at, length, &code);
        units += code > 0xFFFF ? 2 : 1;
        at += bytes;
        length -= bytes;
    }
    return units;
}

size_t utf8_points(const void *text, size_t length)
{
    const uint8_t *at = text;
    size_t points = 0;

    while (length > 0) {
        uint32_t code;
        size_t bytes = step(at, length, &code);
        points++;
        at += bytes;
        length -= bytes;
    }
    return points;
}

size_t utf8_floor(const void *text, size_t length, size_t at)
{
    const uint8_t *bytes = text;

    if (at >= length)
        return length;
    for (size_t back = 0; back < 4 && at > 0 && is_continuation(bytes[at]); back++)
        at--;
    return at;
}

size_t utf8_offset_of_unit(const void *text, size_t length, size_t units)
{
    const uint8_t *start = text;
    size_t at = 0;

    while (at < length && units > 0) {
        uint32_t code;
        size_t bytes = step(start + at, length - at, &code);
        size_t width = code > 0xFFFF ? 2 : 1;
        if (width > units)
            break;
        units -= width;
        at += bytes;
    }
    return at;
}
