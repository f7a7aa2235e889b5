/* Amounts from text. A limit of zero is refused: to the library zero means its default. */
#include "amounts.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Unit {
    const char *name;
    double factor;
} Unit;

static const Unit time_units[] = {{"ms", 1}, {"s", 1000}, {"m", 60e3}, {"h", 3600e3}, {NULL, 0}};

#define KIB 1024.0
static const Unit size_units[] = {{"B", 1},
                                  {"K", KIB},
                                  {"KB", KIB},
                                  {"KiB", KIB},
                                  {"M", KIB *KIB},
                                  {"MB", KIB *KIB},
                                  {"MiB", KIB *KIB},
                                  {"G", KIB *KIB *KIB},
                                  {"GB", KIB *KIB *KIB},
                                  {"GiB", KIB *KIB *KIB},
                                  {NULL, 0}};

static const char no_zero[] = "A run always has this limit: leave the option out for the default.";

/* Digits, with at most one point between them; sets *end to what follows, or returns -1. */
static double number(const char *text, const char **end)
{
    double value = 0;
    double place = 1;

    if (!isdigit((unsigned char)*text))
        return -1;
    for (; isdigit((unsigned char)*text); text++)
        value = value * 10 + (*text - '0');
    if (*text == '.' && isdigit((unsigned char)text[1])) {
        for (text++; isdigit((unsigned char)*text); text++) {
            place /= 10;
            value += (*text - '0') * place;
        }
    }
    *end = text;
    return value;
}

/* number unit; case matters only where "m" and "M" would differ, and there no table has both */
static double amount(const char *text, const Unit *units)
{
    const char *rest = text;
    double value = number(text, &rest);

    if (value < 0)
        return -1;
    if (value == 0 && *rest == '\0')
        return 0;
    for (; units->name != NULL; units++) {
        if (strcasecmp(units->name, rest) == 0)
            return value * units->factor;
    }
    return -1;
}

const char *amount_duration(const char *text, uint32_t *out_ms)
{
    double value = amount(text, time_units);

    if (value < 0)
        return "Write a number and its unit, ms, s, m or h: 500ms, 2s, 1.5m.";
    if (value == 0)
        return no_zero;
    if (value < 1)
        return "The shortest is 1ms.";
    if (value > 7 * 24 * 3600e3)
        return "The longest is 168h.";
    *out_ms = (uint32_t)value;
    return NULL;
}

const char *amount_size(const char *text, uint64_t *out_bytes)
{
    double value = amount(text, size_units);

    if (value < 0)
        return "Write a number and its unit, B, K, M or G: 512K, 64M, 1.5G (K is 1024 bytes).";
    if (value == 0)
        return no_zero;
    if (value < 1)
        return "The smallest is 1B.";
    if (value > 1024 * KIB * KIB * KIB)
        return "The largest is 1024G.";
    *out_bytes = (uint64_t)value;
    return NULL;
}

const char *amount_size32(const char *text, uint32_t *out_bytes)
{
    uint64_t bytes = 0;
    const char *why = amount_size(text, &bytes);

    if (why != NULL)
        return why;
    if (bytes > 1024 * 1024 * 1024)
        return "The largest is 1G.";
    *out_bytes = (uint32_t)bytes;
    return NULL;
}

const char *amount_seed(const char *text, uint64_t *out_seed)
{
    static const char how[] = "Write a whole number from 0 to 18446744073709551615.";
    char *end = NULL;

    if (!isdigit((unsigned char)*text))
        return how;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0')
        return how;
    *out_seed = value;
    return NULL;
}

const char *amount_count(const char *text, uint32_t *out_count)
{
    uint64_t value = 0;

    if (amount_seed(text, &value) != NULL || value > INT32_MAX)
        return "Write a whole number from 1 to 2147483647.";
    if (value == 0)
        return no_zero;
    *out_count = (uint32_t)value;
    return NULL;
}

/* Exactly `digits` digits, moving *text past them; -1 if they are not there. */
static int digits(const char **text, int count)
{
    int value = 0;

    for (int i = 0; i < count; i++, (*text)++) {
        if (!isdigit((unsigned char)**text))
            return -1;
        value = value * 10 + (**text - '0');
    }
    return value;
}

/* "Z" or "+02:00", the whole rest of the text, in minutes east; false if it is neither. */
static bool zone_offset(const char *text, int *out_minutes)
{
    int sign = *text == '-' ? -1 : 1;

    if (strcasecmp(text, "Z") == 0) {
        *out_minutes = 0;
        return true;
    }
    if (*text != '+' && *text != '-')
        return false;
    text++;
    int hours = digits(&text, 2);
    text += *text == ':';
    int minutes = digits(&text, 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || *text != '\0')
        return false;
    *out_minutes = sign * (hours * 60 + minutes);
    return true;
}

/* YYYY-MM-DD, moving *text past it; checked against the calendar. */
static bool calendar_date(const char **text, struct tm *out_date)
{
    struct tm date = {0};

    date.tm_year = digits(text, 4) - 1900;
    if (*(*text)++ != '-')
        return false;
    date.tm_mon = digits(text, 2) - 1;
    if (*(*text)++ != '-')
        return false;
    date.tm_mday = digits(text, 2);
    struct tm same = date;
    timegm(&same); /* moves 31 February to March: then it was no date */
    if (date.tm_year < -1900 || same.tm_mon != date.tm_mon || same.tm_mday != date.tm_mday)
        return false;
    *out_date = date;
    return true;
}

/* YYYY-MM-DD, or YYYY-MM-DDTHH:MM[:SS[.fraction]] with Z or an offset. NAN: it is not. */
static double iso_moment(const char *text)
{
    struct tm date;
    const char *rest = NULL;
    double seconds = 0;
    int offset = 0;

    if (!calendar_date(&text, &date))
        return NAN;
    if (*text == '\0')
        return (double)timegm(&date) * 1000;
    if (*text != 'T' && *text != 't' && *text != ' ')
        return NAN;
    text++;
    date.tm_hour = digits(&text, 2);
    if (*text++ != ':')
        return NAN;
    date.tm_min = digits(&text, 2);
    rest = text;
    if (*text == ':' && (seconds = number(text + 1, &rest)) < 0)
        return NAN;
    if (date.tm_hour < 0 || date.tm_hour > 23 || date.tm_min < 0 || date.tm_min > 59 ||
        seconds >= 60 || !zone_offset(rest, &offset))
        return NAN;
    return (double)(timegm(&date) - offset * 60) * 1000 + (double)(int64_t)(seconds * 1000 + 0.001);
}

const char *amount_moment(const char *text, double *out_unix_ms)
{
    bool negative = *text == '-';
    const char *end = text;
    double value = number(text + negative, &end);

    if (value < 0 || *end != '\0')
        value = iso_moment(text);
    else if (negative)
        value = -value;
    if (isnan(value))
        return "Write 2026-01-31, 2026-01-31T12:00:00Z, 2026-01-31T12:00:00+02:00, or milliseconds "
               "since 1970.";
    if (fabs(value) > 8.64e15)
        return "JavaScript's dates end 8640000000000000 ms from 1970.";
    *out_unix_ms = value;
    return NULL;
}
