#include "decimal.h"

#include <math.h>
#include <stdlib.h>

#include "number.h"

typedef unsigned __int128 Wide;

/* digits x 10^exponent, no zeros at the end of the digits. */
typedef struct Decimal {
    uint64_t digits;
    int exponent;
} Decimal;

/* A number as a 128-bit integer. False if it has a fraction or is too large. */
static bool to_integer(const Datum *number, __int128 *out)
{
    Wide magnitude = 0;

    if (!number->big) {
        if (fabs(number->number) >= 0x1p119 || trunc(number->number) != number->number)
            return false;
        *out = (__int128)number->number;
        return true;
    }
    for (size_t i = 0; i < number->integer->length; i++) {
        if (magnitude >> 111 != 0)
            return false;
        magnitude = magnitude << 8 | number->integer->bytes[i];
    }
    *out = number->integer->negative ? -1 - (__int128)magnitude : (__int128)magnitude;
    return true;
}

int number_compare(const Datum *a, const Datum *b)
{
    if (a->big || b->big) {
        __int128 left, right;
        if (to_integer(a, &left) && to_integer(b, &right))
            return (left > right) - (left < right);
        /* one is huge, or has a fraction and is then far from a tie: below 2^53 */
    }
    return (a->number > b->number) - (a->number < b->number);
}

bool number_is_integer(const Datum *number)
{
    return number->big || trunc(number->number) == number->number;
}

/* The shortest decimal of a double, its sign left out. */
static Decimal decimal_of(double number)
{
    char text[NUMBER_TEXT_MAX];
    Decimal decimal = {0};
    bool fraction = false;

    (void)number_text(fabs(number), text);
    const char *at = text;
    for (; *at && *at != 'e'; at++) {
        if (*at == '.') {
            fraction = true;
        } else if (decimal.digits < 1000000000000000000) {
            decimal.digits = decimal.digits * 10 + (uint64_t)(*at - '0');
            decimal.exponent -= fraction;
        } else {
            decimal.exponent += !fraction; /* zeros: a double has 17 digits */
        }
    }
    if (*at == 'e')
        decimal.exponent += (int)strtol(at + 1, NULL, 10);
    while (decimal.digits != 0 && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    return decimal;
}

/* a x 10^power modulo m, for m below 2^64. */
static uint64_t scaled_modulo(uint64_t a, int power, uint64_t m)
{
    uint64_t result = a % m, ten = 10 % m;

    for (; power > 0; power >>= 1) {
        if (power & 1)
            result = (uint64_t)((Wide)result * ten % m);
        ten = (uint64_t)((Wide)ten * ten % m);
    }
    return result;
}

/* A big integer held against digits x 10^exponent. */
static bool big_is_multiple(const Datum *number, Decimal step)
{
    Wide modulus = step.digits, rest = 0;

    for (int i = 0; i < step.exponent; i++) {
        modulus *= 10;
        if (modulus >> 119 != 0)
            return true;
    }
    for (size_t i = 0; i < number->integer->length; i++)
        rest = (rest << 8 | number->integer->bytes[i]) % modulus;
    if (number->integer->negative)
        rest = (rest + 1) % modulus;
    /* step.exponent < 0: the number x 10^-exponent is to be a multiple of the digits alone */
    return step.exponent >= 0 ? rest == 0
                              : scaled_modulo((uint64_t)rest, -step.exponent, step.digits) == 0;
}

bool number_is_multiple(const Datum *number, const Datum *step)
{
    Decimal by = decimal_of(step->number);

    if (by.digits == 0)
        return true;
    if (number->big)
        return big_is_multiple(number, by);
    Decimal value = decimal_of(number->number);
    int shift = value.exponent - by.exponent;
    if (value.digits == 0 || shift >= 0)
        return value.digits == 0 || scaled_modulo(value.digits, shift, by.digits) == 0;
    /* the value's digits end before the step's do: 10^-shift must divide them */
    Wide divisor = by.digits;
    for (; shift < 0; shift++) {
        divisor *= 10;
        if (divisor > value.digits)
            return false;
    }
    return value.digits % divisor == 0;
}
