/* The parts of JSON text that are not about structure. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "number.h"
#include "utf8.h"

/* JSON must escape the C0 controls. The C1 controls, and what turns the direction of text around,
 * are escaped too: a terminal obeys them, and no one means them. */
static bool is_escaped(uint32_t code)
{
    return code < 0x20 || code == '"' || code == '\\' || (code >= 0x7F && code <= 0x9F) ||
           code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

static void put_escape(Buf *out, uint32_t code)
{
    static const char named[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    static const char hex[] = "0123456789abcdef";
    const char *found = code != 0 && code < 0x80 ? strchr(named, (int)code) : NULL;

    if (found) {
        const char escape[2] = {'\\', letters[found - named]};
        buf_append(out, escape, sizeof escape);
    } else {
        const char escape[6] = {
            '\\',          'u', hex[code >> 12 & 15], hex[code >> 8 & 15], hex[code >> 4 & 15],
            hex[code & 15]};
        buf_append(out, escape, sizeof escape);
    }
}

void json_put_escaped(Buf *out, const char *text, size_t length)
{
    const uint8_t *at = (const uint8_t *)text;
    uint32_t code;

    if (length == 0)
        return;
    const uint8_t *end = at + length, *plain = at;
    while (at < end) {
        if (*at >= 0x20 && *at < 0x7F && *at != '"' && *at != '\\') {
            at++;
            continue;
        }
        size_t bytes = utf8_decode(at, (size_t)(end - at), &code);
        if (bytes > 0 && !is_escaped(code)) {
            at += bytes;
            continue;
        }
        buf_append(out, plain, (size_t)(at - plain));
        if (bytes > 0)
            put_escape(out, code);
        else
            buf_append_string(out, "\xEF\xBF\xBD");
        at += bytes > 0 ? bytes : 1;
        plain = at;
    }
    buf_append(out, plain, (size_t)(at - plain));
}

void json_put_string(Buf *out, const char *text, size_t length)
{
    buf_append_byte(out, '"');
    json_put_escaped(out, text, length);
    buf_append_byte(out, '"');
}

void json_put_base64(Buf *out, const uint8_t *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t group = (uint32_t)bytes[i] << 16;
        group |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= left > 2 ? (uint32_t)bytes[i + 2] : 0;
        const char four[4] = {digits[group >> 18], digits[group >> 12 & 63],
                              left > 1 ? digits[group >> 6 & 63] : '=',
                              left > 2 ? digits[group & 63] : '='};
        buf_append(out, four, sizeof four);
    }
}

void json_put_number(Buf *out, double number)
{
    char text[NUMBER_TEXT_MAX];

    if (!isfinite(number))
        buf_append_string(out, "null");
    else
        buf_append(out, text, number_text(number, text));
}

typedef struct Civil {
    int64_t year;
    int month, day;
} Civil;

/* Days since 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that
 * the leap day comes last; 400 of them are an era of 146097 days. */
static Civil civil_from_days(int64_t days)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t day_of_era = z - era * 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * day_of_year + 2) / 153;
    int month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);

    return (Civil){.year = year_of_era + era * 400 + (month <= 2),
                   .month = month,
                   .day = (int)(day_of_year - (153 * shifted + 2) / 5 + 1)};
}

void json_put_iso_date(Buf *out, double unix_ms)
{
    char text[64];
    int64_t ms = (int64_t)unix_ms;
    int64_t days = ms / 86400000 - (ms % 86400000 < 0);
    int64_t in_day = ms - days * 86400000;
    Civil civil = civil_from_days(days);
    const char *format = civil.year >= 0 && civil.year <= 9999
                             ? "%04lld-%02d-%02dT%02d:%02d:%02d.%03dZ"
                             : "%+07lld-%02d-%02dT%02d:%02d:%02d.%03dZ";

    int length = snprintf(text, sizeof text, format, (long long)civil.year, civil.month, civil.day,
                          (int)(in_day / 3600000), (int)(in_day / 60000 % 60),
                          (int)(in_day / 1000 % 60), (int)(in_day % 1000));
    buf_append(out, text, (size_t)length);
}

/* ---- big integers ---- */

enum { decimal_bytes_most = 1024, limbs_most = decimal_bytes_most / 3 };

/* Decimal digits cost the square of the length; so a number whose digits nobody would read is
 * written in hexadecimal, which costs its length. */
static void put_hexadecimal(Buf *out, const uint8_t *bytes, size_t length, bool negative)
{
    static const char hex[] = "0123456789abcdef";

    /* -1 - n is -(n + 1): the carry runs up from the end through bytes that are all ones. */
    size_t carry_from = length;
    while (negative && carry_from > 0 && bytes[carry_from - 1] == 0xFF)
        carry_from--;
    buf_append_string(out, negative ? "-0x" : "0x");
    if (negative && carry_from == 0)
        buf_append_string(out, "01");
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = bytes[i];
        if (negative && i + 1 == carry_from)
            byte = (uint8_t)(byte + 1);
        else if (negative && i >= carry_from)
            byte = 0;
        const char two[2] = {hex[byte >> 4], hex[byte & 15]};
        buf_append(out, two, sizeof two);
    }
}

void json_put_bigint(Buf *out, const Item *item)
{
    uint32_t limbs[limbs_most + 1] = {0}; /* base 10^9, least first */
    size_t count = 0, length;
    const uint8_t *bytes;
    bool negative;
    char digits[16];

    if (!item_bigint(item, &bytes, &length, &negative))
        return;
    if (length > decimal_bytes_most) {
        put_hexadecimal(out, bytes, length, negative);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        uint64_t carry = bytes[i];
        for (size_t k = 0; k < count; k++) {
            carry += (uint64_t)limbs[k] * 256;
            limbs[k] = (uint32_t)(carry % 1000000000);
            carry /= 1000000000;
        }
        if (carry)
            limbs[count++] = (uint32_t)carry;
    }
    /* One more below zero: magnitude plus one. */
    uint64_t carry = negative ? 1 : 0;
    for (size_t k = 0; k < count && carry; k++) {
        carry += limbs[k];
        limbs[k] = (uint32_t)(carry % 1000000000);
        carry /= 1000000000;
    }
    if (carry)
        limbs[count++] = (uint32_t)carry;
    if (negative)
        buf_append_byte(out, '-');
    if (count == 0)
        buf_append_byte(out, '0');
    for (size_t k = count; k-- > 0;) {
        int written = snprintf(digits, sizeof digits, k + 1 == count ? "%u" : "%09u", limbs[k]);
        buf_append(out, digits, (size_t)written);
    }
}
