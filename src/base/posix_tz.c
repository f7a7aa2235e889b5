#include "posix_tz.h"

typedef struct Text {
    const char *at;
    const char *end;
} Text;

static bool next_is(Text *text, char wanted)
{
    if (text->at == text->end || *text->at != wanted)
        return false;
    text->at++;
    return true;
}

static bool number(Text *text, int most, int *out_number)
{
    int value = 0;
    const char *start = text->at;

    while (text->at < text->end && *text->at >= '0' && *text->at <= '9') {
        value = value * 10 + (*text->at++ - '0');
        if (value > most)
            return false;
    }
    if (text->at == start)
        return false;
    *out_number = value;
    return true;
}

/* name = letter{3,} | "<" (letter | digit | "+" | "-"){3,} ">" */
static bool skip_name(Text *text)
{
    bool quoted = next_is(text, '<');
    const char *start = text->at;

    while (text->at < text->end) {
        char c = *text->at;
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        bool sign_or_digit = (c >= '0' && c <= '9') || c == '+' || c == '-';
        if (!letter && !(quoted && sign_or_digit))
            break;
        text->at++;
    }
    return text->at - start >= 3 && (!quoted || next_is(text, '>'));
}

/* time = ("+" | "-")? hours (":" minutes (":" seconds)?)? */
static bool signed_time(Text *text, int32_t *out_seconds)
{
    bool minus = next_is(text, '-');
    int hours, minutes = 0, seconds = 0;

    if (!minus)
        (void)next_is(text, '+');
    if (!number(text, 167, &hours))
        return false;
    if (next_is(text, ':')) {
        if (!number(text, 59, &minutes))
            return false;
        if (next_is(text, ':') && !number(text, 59, &seconds))
            return false;
    }
    int32_t total = hours * 3600 + minutes * 60 + seconds;
    *out_seconds = minus ? -total : total;
    return true;
}

/* day = ("J" n | n | "M" month "." week "." weekday) ("/" time)? */
static bool rule_day(Text *text, TzDay *out_day)
{
    TzDay day = {.seconds = 2 * 3600};

    if (next_is(text, 'M')) {
        day.kind = TZ_DAY_WEEK;
        if (!number(text, 12, &day.month) || day.month == 0 || !next_is(text, '.') ||
            !number(text, 5, &day.week) || day.week == 0 || !next_is(text, '.') ||
            !number(text, 6, &day.day))
            return false;
    } else if (next_is(text, 'J')) {
        day.kind = TZ_DAY_JULIAN;
        if (!number(text, 365, &day.day) || day.day == 0)
            return false;
    } else {
        day.kind = TZ_DAY_ZERO;
        if (!number(text, 365, &day.day))
            return false;
    }
    if (next_is(text, '/') && !signed_time(text, &day.seconds))
        return false;
    *out_day = day;
    return true;
}

/* rule = name time (name time? "," day "," day)?     Its offsets count westward. */
bool tz_rule_parse(const char *bytes, size_t length, TzRule *out_rule)
{
    Text text = {bytes, bytes + length};
    TzRule rule = {0};
    int32_t west;

    if (!skip_name(&text) || !signed_time(&text, &west))
        return false;
    rule.standard = -west;
    if (text.at < text.end) {
        rule.changes = true;
        rule.daylight = rule.standard + 3600;
        if (!skip_name(&text))
            return false;
        if (text.at < text.end && *text.at != ',') {
            if (!signed_time(&text, &west))
                return false;
            rule.daylight = -west;
        }
        if (!next_is(&text, ',') || !rule_day(&text, &rule.begin) || !next_is(&text, ',') ||
            !rule_day(&text, &rule.end) || text.at != text.end)
            return false;
    }
    *out_rule = rule;
    return true;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Days from 1970-01-01 to the first of January: whole years, and a day for each leap year. */
static int64_t year_start(int64_t year)
{
    int64_t y = year - 1;
    int64_t leaps = floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400);
    return 365 * (year - 1970) + leaps - 477;
}

static int64_t year_of(int64_t days)
{
    int64_t year = 1970 + floor_div(days * 400, 146097);

    while (year_start(year) > days)
        year--;
    while (year_start(year + 1) <= days)
        year++;
    return year;
}

/* Day of the year, from 0, that a rule means. */
static int64_t day_of_year(const TzDay *day, int64_t year)
{
    static const int before_month[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    int leap = is_leap(year);

    if (day->kind == TZ_DAY_ZERO)
        return day->day;
    if (day->kind == TZ_DAY_JULIAN)
        return day->day - 1 + (leap && day->day > 59);

    int64_t first = before_month[day->month - 1] + (leap && day->month > 2);
    int64_t next_month = before_month[day->month] + (leap && day->month >= 2);
    /* 1970-01-01 was a Thursday, and Sunday is 0. */
    int64_t weekday = (year_start(year) + first + 4) % 7;
    weekday = (weekday + 7) % 7;
    int64_t found = first + (day->day - weekday + 7) % 7 + 7 * (day->week - 1);
    return found < next_month ? found : found - 7;
}

static int64_t instant(const TzDay *day, int64_t year, int32_t offset_before)
{
    return (year_start(year) + day_of_year(day, year)) * 86400 + day->seconds - offset_before;
}

TzSpan tz_rule_span(const TzRule *rule, int64_t utc)
{
    if (!rule->changes)
        return (TzSpan){INT64_MAX, rule->standard};

    /* A change may be a week off its year's edge, so three years are looked at. Where daylight
     * ends and begins at one instant it lasts all year: beginning then wins, so is looked at
     * last. */
    int64_t year = year_of(floor_div(utc + rule->standard, 86400));
    int64_t latest = INT64_MIN, next = INT64_MAX;
    int32_t offset = rule->standard;
    for (int64_t y = year - 1; y <= year + 1; y++) {
        const int64_t at[2] = {instant(&rule->end, y, rule->daylight),
                               instant(&rule->begin, y, rule->standard)};
        const int32_t to[2] = {rule->standard, rule->daylight};
        for (int i = 0; i < 2; i++) {
            bool begins = i == 1;
            if (at[i] > utc && at[i] < next)
                next = at[i];
            if (at[i] <= utc && (at[i] > latest || (at[i] == latest && begins))) {
                latest = at[i];
                offset = to[i];
            }
        }
    }
    return (TzSpan){next, offset};
}
