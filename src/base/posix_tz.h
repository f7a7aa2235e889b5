/*
 * The rule at the end of a TZif file, for the times after its table: a POSIX TZ string with the
 * extensions of RFC 9636 (hours from -167 to 167).
 */
#ifndef POSIX_TZ_H
#define POSIX_TZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TzDay {
    enum { TZ_DAY_JULIAN, TZ_DAY_ZERO, TZ_DAY_WEEK } kind; /* Jn, n, Mm.w.d */
    int day;                                               /* of the year, or of the week */
    int week;                                              /* 1 to 5, 5 being the last */
    int month;                                             /* 1 to 12 */
    int32_t seconds; /* after that day's midnight, by the wall clock of before */
} TzDay;

typedef struct TzRule {
    int32_t standard; /* seconds to add to UTC */
    int32_t daylight;
    bool changes;     /* else it is standard for ever */
    TzDay begin, end; /* of daylight time */
} TzRule;

/** One stretch of unchanging offset. */
typedef struct TzSpan {
    int64_t end; /* UTC seconds; INT64_MAX for ever */
    int32_t offset;
} TzSpan;

bool tz_rule_parse(const char *text, size_t length, TzRule *out_rule);

/** The stretch that holds the instant `utc`, in seconds since 1970. */
TzSpan tz_rule_span(const TzRule *rule, int64_t utc);

#endif
