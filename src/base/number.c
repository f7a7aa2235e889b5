#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A decimal: 0.digits x 10^point. */
typedef struct Decimal {
    char digits[20];
    int count;
    int point;
} Decimal;

/* The host's locale may write a comma. The "C" locale is a constant of the C library: taking it
 * costs no memory, and it holds for this thread only. */
static locale_t enter_c_locale(void)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return c == (locale_t)0 ? (locale_t)0 : uselocale(c);
}

static void leave_c_locale(locale_t before)
{
    if (before != (locale_t)0)
        (void)uselocale(before);
}

/* At a power of two the doubles above are further apart than those below; so the nearest digits,
 * just below, may miss it where the next ones, just above, do not. A 9 would carry into fewer
 * digits, which were tried before. */
static bool next_reads_back(char *text, double number)
{
    char *end = strchr(text, 'e'), *last = end ? end - 1 : text;

    if (*last == '9')
        return false;
    ++*last;
    if (strtod(text, NULL) == number)
        return true;
    --*last;
    return false;
}

/* Digits in scientific form, "d.ddde+xx". A double has 15 sure digits and is told apart by 17;
 * subnormals have fewer, so there the search begins at one. */
static void shortest_digits(double number, Decimal *out)
{
    char text[40];
    int precision = number < 2.3e-308 ? 0 : 14;

    for (;; precision++) {
        (void)snprintf(text, sizeof text, "%.*e", precision, number);
        if (precision >= 16 || strtod(text, NULL) == number || next_reads_back(text, number))
            break;
    }
    out->count = 0;
    const char *at = text;
    for (; *at != 'e'; at++) {
        if (*at >= '0' && *at <= '9')
            out->digits[out->count++] = *at;
    }
    while (out->count > 1 && out->digits[out->count - 1] == '0')
        out->count--;
    out->point = (int)strtol(at + 1, NULL, 10) + 1;
}

static char *copy(char *to, const char *from, int count)
{
    memcpy(to, from, (size_t)count);
    return to + count;
}

static char *zeros(char *to, int count)
{
    memset(to, '0', (size_t)count);
    return to + count;
}

/* Number::toString, steps 6 to 12: n is `point`, k is `count`. */
static char *write_decimal(char *to, const Decimal *decimal)
{
    int n = decimal->point, k = decimal->count;

    if (k <= n && n <= 21)
        return zeros(copy(to, decimal->digits, k), n - k);
    if (0 < n && n < k) {
        to = copy(to, decimal->digits, n);
        *to++ = '.';
        return copy(to, decimal->digits + n, k - n);
    }
    if (-6 < n && n <= 0)
        return copy(zeros(copy(to, "0.", 2), -n), decimal->digits, k);
    *to++ = decimal->digits[0];
    if (k > 1) {
        *to++ = '.';
        to = copy(to, decimal->digits + 1, k - 1);
    }
    return to + snprintf(to, 8, "e%c%d", n > 0 ? '+' : '-', abs(n - 1));
}

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Most fractions in data have few digits. An integer of up to 15 digits over a power of ten is
 * exact above and below, so the quotient is the double nearest to that decimal: if it is our
 * number, those are its digits, and no shorter ones were. */
static bool few_digits(double number, Decimal *out)
{
    if (number >= 1e15 || number < 1e-6)
        return false;
    for (int places = 1; places <= 15; places++) {
        double scaled = nearbyint(number * powers_of_ten[places]);
        if (scaled >= 1e15)
            return false;
        if (scaled / powers_of_ten[places] != number)
            continue;
        char text[24];
        int count = snprintf(text, sizeof text, "%lld", (long long)scaled);
        memcpy(out->digits, text, (size_t)count);
        out->count = count;
        out->point = count - places;
        return true;
    }
    return false;
}

size_t number_text(double number, char out_text[NUMBER_TEXT_MAX])
{
    char *at = out_text;

    if (number != number) {
        at = copy(at, "NaN", 3);
    } else {
        if (signbit(number)) {
            *at++ = '-';
            number = -number;
        }
        if (number == (double)INFINITY) {
            at = copy(at, "Infinity", 8);
        } else if (number < 9007199254740992.0 && number == (double)(int64_t)number) {
            at += snprintf(at, NUMBER_TEXT_MAX - 1, "%lld", (long long)number);
        } else {
            Decimal decimal = {0};
            if (!few_digits(number, &decimal)) {
                locale_t before = enter_c_locale();
                shortest_digits(number, &decimal);
                leave_c_locale(before);
            }
            at = write_decimal(at, &decimal);
        }
    }
    *at = '\0';
    return (size_t)(at - out_text);
}

/* A long number keeps its first 800 digits, and a 1 for whatever follows them: 767 decide what a
 * double is, and the rest only whether it is above the middle between two. */
enum { digits_kept = 800 };

static void shorten(const char *text, size_t length, char out[digits_kept + 32])
{
    char *to = out;
    long long exponent = 0, shift = 0;
    int kept = 0;
    bool after_point = false, dropped = false;
    size_t i = 0;

    if (i < length && text[i] == '-')
        *to++ = text[i++];
    for (; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '.') {
            after_point = true;
            continue;
        }
        shift -= after_point;
        if (kept == 0 && text[i] == '0')
            continue;
        if (kept < digits_kept) {
            *to++ = text[i];
            kept++;
        } else {
            dropped = dropped || text[i] != '0';
            shift++;
        }
    }
    if (kept == 0)
        *to++ = '0';
    if (dropped) {
        *to++ = '1';
        shift--;
    }
    bool minus = ++i < length && text[i] == '-';
    for (; i < length; i++) {
        if (text[i] >= '0' && text[i] <= '9' && exponent < 1000000000000)
            exponent = exponent * 10 + (text[i] - '0');
    }
    exponent = (minus ? -exponent : exponent) + shift;
    exponent = exponent > 99999 ? 99999 : exponent < -99999 ? -99999 : exponent;
    (void)snprintf(to, 16, "e%lld", exponent);
}

/* Up to 15 digits, with a point or without: both parts of the quotient are exact. */
static bool parse_few_digits(const char *text, size_t length, double *out_number)
{
    bool minus = length > 0 && text[0] == '-';
    int64_t digits = 0;
    int places = -1;

    if (length > 16u + minus)
        return false;
    for (size_t i = minus; i < length; i++) {
        if (text[i] == '.' && places < 0) {
            places = 0;
        } else if (text[i] >= '0' && text[i] <= '9' && digits < 100000000000000) {
            digits = digits * 10 + (text[i] - '0');
            places += places >= 0;
        } else {
            return false;
        }
    }
    double number = (double)digits / powers_of_ten[places > 0 ? places : 0];
    *out_number = minus ? -number : number;
    return true;
}

double number_parse(const char *text, size_t length)
{
    char small[digits_kept + 32];
    double few;

    if (parse_few_digits(text, length, &few))
        return few;
    if (length < sizeof small) {
        memcpy(small, text, length);
        small[length] = '\0';
    } else {
        shorten(text, length, small);
    }
    locale_t before = enter_c_locale();
    double number = strtod(small, NULL);
    leave_c_locale(before);
    return number;
}
