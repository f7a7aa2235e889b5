#include "cbor.h"

#include <math.h>

#include "memory.h"
#include "utf8.h"

enum { INFO_8 = 24, INFO_16 = 25, INFO_32 = 26, INFO_64 = 27, INFO_INDEFINITE = 31 };

static const uint8_t break_byte = 0xFF;

/* ---- writing ---- */

void cbor_put_head(Buf *buf, unsigned major, uint64_t argument)
{
    if (argument < 24) {
        buf_append_byte(buf, (uint8_t)(major << 5 | argument));
        return;
    }
    uint8_t head[9];
    unsigned bytes = argument <= 0xFF ? 1 : argument <= 0xFFFF ? 2 : argument <= 0xFFFFFFFF ? 4 : 8;
    unsigned info = bytes == 1 ? INFO_8 : bytes == 2 ? INFO_16 : bytes == 4 ? INFO_32 : INFO_64;

    head[0] = (uint8_t)(major << 5 | info);
    for (unsigned i = 0; i < bytes; i++)
        head[1 + i] = (uint8_t)(argument >> (8 * (bytes - 1 - i)));
    buf_append(buf, head, 1 + bytes);
}

void cbor_put_uint(Buf *buf, uint64_t value)
{
    cbor_put_head(buf, CBOR_UINT, value);
}

void cbor_put_int(Buf *buf, int64_t value)
{
    if (value >= 0)
        cbor_put_head(buf, CBOR_UINT, (uint64_t)value);
    else
        cbor_put_head(buf, CBOR_NEGATIVE, ~(uint64_t)value);
}

void cbor_put_float(Buf *buf, double value)
{
    uint8_t bytes[9];
    uint64_t bits;

    if (value != value)
        bits = 0x7FF8000000000000u; /* one NaN only: a payload would be a covert channel */
    else
        memcpy(&bits, &value, sizeof bits);
    bytes[0] = CBOR_SIMPLE << 5 | INFO_64;
    for (unsigned i = 0; i < 8; i++)
        bytes[1 + i] = (uint8_t)(bits >> (56 - 8 * i));
    buf_append(buf, bytes, sizeof bytes);
}

void cbor_put_number(Buf *buf, double value)
{
    const double safe = 9007199254740991.0;

    if (value >= -safe && value <= safe) {
        int64_t integer = (int64_t)value;
        double back = (double)integer;
        /* Compared as bits: -0 and the integer 0 are equal as numbers. */
        if (memcmp(&back, &value, sizeof back) == 0) {
            cbor_put_int(buf, integer);
            return;
        }
    }
    cbor_put_float(buf, value);
}

void cbor_put_bytes(Buf *buf, const void *bytes, size_t length)
{
    cbor_put_head(buf, CBOR_BYTES, length);
    buf_append(buf, bytes, length);
}

void cbor_put_text(Buf *buf, const char *text, size_t length)
{
    cbor_put_head(buf, CBOR_TEXT, length);
    buf_append(buf, text, length);
}

void cbor_put_string(Buf *buf, const char *text, size_t length)
{
    if (utf8_valid(text, length)) {
        cbor_put_text(buf, text, length);
    } else {
        cbor_put_tag(buf, CBOR_TAG_WTF8);
        cbor_put_bytes(buf, text, length);
    }
}

void cbor_put_bigint(Buf *buf, int sign, const uint8_t *magnitude, size_t length)
{
    while (length > 0 && *magnitude == 0) {
        magnitude++;
        length--;
    }
    if (sign >= 0 || length == 0) {
        cbor_put_tag(buf, CBOR_TAG_BIGINT);
        cbor_put_bytes(buf, magnitude, length);
        return;
    }
    /* Tag 3 holds n of -1 - n: the magnitude less one. */
    cbor_put_tag(buf, CBOR_TAG_BIGINT_MINUS);
    size_t last = length - 1;
    while (magnitude[last] == 0)
        last--;
    bool shorter = last == 0 && magnitude[0] == 1;
    cbor_put_head(buf, CBOR_BYTES, shorter ? length - 1 : length);
    for (size_t i = shorter ? 1 : 0; i < length; i++) {
        uint8_t byte = i < last ? magnitude[i] : i == last ? (uint8_t)(magnitude[i] - 1) : 0xFF;
        buf_append_byte(buf, byte);
    }
}

void cbor_put_tag(Buf *buf, uint64_t tag)
{
    cbor_put_head(buf, CBOR_TAG, tag);
}

void cbor_put_array(Buf *buf, uint64_t count)
{
    cbor_put_head(buf, CBOR_ARRAY, count);
}

void cbor_put_map(Buf *buf, uint64_t pairs)
{
    cbor_put_head(buf, CBOR_MAP, pairs);
}

void cbor_put_array_open(Buf *buf)
{
    buf_append_byte(buf, CBOR_ARRAY << 5 | INFO_INDEFINITE);
}

void cbor_put_map_open(Buf *buf)
{
    buf_append_byte(buf, CBOR_MAP << 5 | INFO_INDEFINITE);
}

void cbor_put_break(Buf *buf)
{
    buf_append_byte(buf, break_byte);
}

void cbor_put_simple(Buf *buf, unsigned value)
{
    cbor_put_head(buf, CBOR_SIMPLE, value);
}

/* ---- reading ---- */

/* Does what the head announces fit into what follows? Items are a byte each at the least; so a
 * count that passes can be walked without a fear for time or memory. */
static bool fits(const CborHead *head, size_t left)
{
    switch (head->major) {
    case CBOR_BYTES:
    case CBOR_TEXT:
        return !head->indefinite && head->argument <= left;
    case CBOR_ARRAY:
        return head->indefinite || head->argument <= left;
    case CBOR_MAP:
        return head->indefinite || head->argument <= left / 2;
    case CBOR_TAG:
        return !head->indefinite && left > 0;
    case CBOR_SIMPLE:
        return !head->indefinite && (head->info >= INFO_16 || (head->argument >= CBOR_FALSE &&
                                                               head->argument <= CBOR_UNDEFINED));
    default:
        return !head->indefinite;
    }
}

bool cbor_head(CborReader *reader, CborHead *out_head)
{
    const uint8_t *at = reader->at;
    uint64_t argument = 0;

    if (at >= reader->end)
        return false;
    uint8_t info = *at & 0x1F;
    out_head->major = *at++ >> 5;
    out_head->info = info;
    out_head->indefinite = info == INFO_INDEFINITE;
    if (info < INFO_8) {
        argument = info;
    } else if (info <= INFO_64) {
        size_t bytes = (size_t)1 << (info - INFO_8);
        if (bytes > (size_t)(reader->end - at))
            return false;
        for (size_t i = 0; i < bytes; i++)
            argument = argument << 8 | *at++;
    } else if (info != INFO_INDEFINITE) {
        return false;
    }
    out_head->argument = argument;
    if (!fits(out_head, (size_t)(reader->end - at)))
        return false;
    reader->at = at;
    return true;
}

bool cbor_break(CborReader *reader)
{
    if (reader->at >= reader->end || *reader->at != break_byte)
        return false;
    reader->at++;
    return true;
}

bool cbor_string(CborReader *reader, const CborHead *head, const uint8_t **out_bytes,
                 size_t *out_length)
{
    if ((head->major != CBOR_BYTES && head->major != CBOR_TEXT) ||
        head->argument > (uint64_t)(reader->end - reader->at))
        return false;
    *out_bytes = reader->at;
    *out_length = (size_t)head->argument;
    reader->at += head->argument;
    return true;
}

/* RFC 8949, appendix D, without the C library. */
static double half_value(uint64_t bits)
{
    unsigned exponent = (unsigned)(bits >> 10) & 0x1F;
    uint64_t fraction = bits & 0x3FF;
    double value;

    if (exponent == 0) {
        value = (double)fraction * (1.0 / 16777216.0);
    } else {
        uint64_t wide = exponent == 31 ? 0x7FF0000000000000u | fraction << 42
                                       : (uint64_t)(exponent - 15 + 1023) << 52 | fraction << 42;
        memcpy(&value, &wide, sizeof value);
    }
    return bits & 0x8000 ? -value : value;
}

bool cbor_number(const CborHead *head, double *out_number)
{
    if (head->major == CBOR_UINT) {
        *out_number = (double)head->argument;
    } else if (head->major == CBOR_NEGATIVE) {
        *out_number = -1.0 - (double)head->argument;
    } else if (head->major != CBOR_SIMPLE || head->info < INFO_16) {
        return false;
    } else if (head->info == INFO_16) {
        *out_number = half_value(head->argument);
    } else if (head->info == INFO_32) {
        uint32_t bits = (uint32_t)head->argument;
        float single;
        memcpy(&single, &bits, sizeof single);
        *out_number = (double)single;
    } else {
        memcpy(out_number, &head->argument, sizeof *out_number);
    }
    return true;
}

double cbor_date_ms(double seconds)
{
    double ms = seconds * 1000;

    if (!(ms >= -8.64e15 - 2 && ms <= 8.64e15 + 2))
        return (double)NAN;
    /* The product may be off by one far from 1970. A quotient names its date alone: two that are a
     * millisecond apart differ in it up to the last date there is. */
    int64_t nearest = (int64_t)(ms < 0 ? ms - 0.5 : ms + 0.5);
    static const int64_t step[] = {0, 1, -1};
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        double candidate = (double)(nearest + step[i]);
        if (candidate / 1000 == seconds) {
            nearest += step[i];
            break;
        }
    }
    bool is_date = nearest >= -8640000000000000 && nearest <= 8640000000000000;
    return is_date ? (double)nearest : (double)NAN;
}

/* Items still owed at each level; an indefinite level owes until its break. An indefinite map that
 * ends between key and value is malformed, so it is told which of the two is next. */
static const size_t owed_array = SIZE_MAX - 2;
static const size_t owed_map_key = SIZE_MAX - 1;
static const size_t owed_map_value = SIZE_MAX;

typedef struct Levels {
    unsigned count; /* arrays and maps that are open */
    size_t owed[CBOR_DEPTH_MAX];
} Levels;

static size_t *innermost(Levels *levels)
{
    return levels->count > 0 ? &levels->owed[levels->count - 1] : NULL;
}

/* One item of the innermost level is there. */
static void pay(size_t *owed)
{
    if (*owed == owed_map_key)
        *owed = owed_map_value;
    else if (*owed == owed_map_value)
        *owed = owed_map_key;
    else if (*owed != owed_array)
        (*owed)--;
}

/* The heads of one item, its tags first, and its bytes if it is a string. A container is opened. */
static bool skip_heads(CborReader *in, Levels *levels, unsigned depth)
{
    CborHead head;

    do {
        if (!cbor_head(in, &head))
            return false;
    } while (head.major == CBOR_TAG);
    if (levels->count > 0)
        pay(innermost(levels));
    if (head.major == CBOR_BYTES || head.major == CBOR_TEXT)
        in->at += head.argument;
    if (head.major != CBOR_ARRAY && head.major != CBOR_MAP)
        return true;
    if (levels->count == depth)
        return false;
    bool map = head.major == CBOR_MAP;
    levels->owed[levels->count++] =
        head.indefinite ? (map ? owed_map_key : owed_array) : (size_t)head.argument * (map ? 2 : 1);
    return true;
}

bool cbor_skip(CborReader *reader, unsigned depth)
{
    CborReader in = *reader;
    Levels levels;

    levels.count = 0;
    if (depth > CBOR_DEPTH_MAX)
        depth = CBOR_DEPTH_MAX;
    do {
        const size_t *owed = innermost(&levels);
        if (owed && (*owed == owed_array || *owed == owed_map_key) && cbor_break(&in))
            levels.count--;
        else if (!skip_heads(&in, &levels, depth))
            return false;
        while (levels.count > 0 && *innermost(&levels) == 0)
            levels.count--;
    } while (levels.count > 0);
    reader->at = in.at;
    return true;
}
