/* Formats, for who asks that they refuse: those that schemas of tools use. */
#include <string.h>

#include "check.h"

static bool digits(const char **at, const char *end, unsigned count, unsigned *out)
{
    *out = 0;
    for (; count > 0; count--, ++*at) {
        if (*at == end || **at < '0' || **at > '9')
            return false;
        *out = *out * 10 + (unsigned)(**at - '0');
    }
    return true;
}

static bool one_of(const char **at, const char *end, const char *set)
{
    if (*at == end || !**at || !strchr(set, **at))
        return false;
    ++*at;
    return true;
}

/* full-date of RFC 3339 */
static bool date(const char **at, const char *end)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year, month, day;

    if (!digits(at, end, 4, &year) || !one_of(at, end, "-") || !digits(at, end, 2, &month) ||
        !one_of(at, end, "-") || !digits(at, end, 2, &day) || month < 1 || month > 12)
        return false;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day >= 1 && day <= days[month - 1] + (unsigned)(month == 2 && leap);
}

/* full-time: a leap second is the last one of a day in UTC */
static bool time_of_day(const char **at, const char *end)
{
    unsigned hour, minute, second, zone_hour = 0, zone_minute = 0;

    if (!digits(at, end, 2, &hour) || !one_of(at, end, ":") || !digits(at, end, 2, &minute) ||
        !one_of(at, end, ":") || !digits(at, end, 2, &second) || hour > 23 || minute > 59 ||
        second > 60)
        return false;
    if (one_of(at, end, ".")) {
        const char *begin = *at;
        while (one_of(at, end, "0123456789"))
            continue;
        if (*at == begin)
            return false;
    }
    bool east = *at < end && **at == '+';
    if (!one_of(at, end, "zZ") &&
        (!one_of(at, end, "+-") || !digits(at, end, 2, &zone_hour) || !one_of(at, end, ":") ||
         !digits(at, end, 2, &zone_minute) || zone_hour > 23 || zone_minute > 59))
        return false;
    unsigned zone = zone_hour * 60 + zone_minute, local = hour * 60 + minute;
    unsigned utc = (local + (east ? 1440 - zone : zone)) % 1440;
    return second < 60 || utc == 1439;
}

static bool ipv4(const char **at, const char *end)
{
    for (unsigned part = 0; part < 4; part++) {
        unsigned value = 0, count = 0;
        if (part > 0 && !one_of(at, end, "."))
            return false;
        for (; *at < end && **at >= '0' && **at <= '9' && count < 4; count++, ++*at)
            value = value * 10 + (unsigned)(**at - '0');
        if (count == 0 || count > 3 || value > 255 || (count > 1 && (*at)[-(int)count] == '0'))
            return false;
    }
    return true;
}

static bool ipv6(const char **at, const char *end)
{
    unsigned groups = 0;
    bool gap = false;

    if (end - *at >= 2 && (*at)[0] == ':' && (*at)[1] == ':') {
        gap = true;
        *at += 2;
    }
    while (*at < end && groups < 8) {
        const char *begin = *at;
        while (*at - begin < 5 && one_of(at, end, "0123456789abcdefABCDEF"))
            continue;
        if (*at < end && **at == '.') {
            *at = begin;
            groups += 2;
            return ipv4(at, end) && (gap ? groups < 8 : groups == 8);
        }
        if (*at == begin || *at - begin > 4)
            return false;
        groups++;
        if (*at == end)
            break;
        if (!one_of(at, end, ":"))
            return false;
        if (*at < end && **at == ':') {
            if (gap)
                return false;
            gap = true;
            ++*at;
        } else if (*at == end) {
            return false;
        }
    }
    return gap ? groups < 8 : groups == 8;
}

static bool uuid(const char **at, const char *end)
{
    for (unsigned i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (!one_of(at, end, dash ? "-" : "0123456789abcdefABCDEF"))
            return false;
    }
    return true;
}

static bool hostname(const char **at, const char *end)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    if (end - *at > 253)
        return false;
    do {
        const char *begin = *at;
        while (one_of(at, end, letters) || (*at > begin && one_of(at, end, "-")))
            continue;
        if (*at == begin || *at - begin > 63 || (*at)[-1] == '-')
            return false;
    } while (one_of(at, end, "."));
    return true;
}

/* Mailbox of RFC 5321: a dotted or quoted local part, then a host name or an address. */
static bool email(const char **at, const char *end)
{
    const char *sign = memrchr(*at, '@', (size_t)(end - *at));
    const char *local = *at;

    if (!sign || sign == local || sign[-1] == '.' || *local == '.')
        return false;
    bool quoted = *local == '"' && sign - local > 1 && sign[-1] == '"';
    for (; *at < sign && !quoted; ++*at) {
        if (**at <= ' ' || strchr("()<>[]:;@\\,\"", **at) || (**at == '.' && (*at)[1] == '.'))
            return false;
    }
    *at = sign + 1;
    if (!one_of(at, end, "["))
        return hostname(at, end);
    bool six = end - *at > 5 && memcmp(*at, "IPv6:", 5) == 0;
    *at += six ? 5 : 0;
    return (six ? ipv6(at, end - 1) : ipv4(at, end)) && one_of(at, end, "]");
}

static bool uri(const char **at, const char *end)
{
    const char *begin = *at;

    while (*at < end && ((**at | 32) >= 'a' && (**at | 32) <= 'z'))
        ++*at;
    if (*at == begin)
        return false;
    while (one_of(at, end, "0123456789+-.") ||
           (*at < end && (**at | 32) >= 'a' && (**at | 32) <= 'z'))
        continue;
    if (!one_of(at, end, ":"))
        return false;
    for (; *at < end; ++*at) {
        if (**at <= ' ' || strchr("<>\"{}|\\^`", **at))
            return false;
        if (**at == '%' && (end - *at < 3 || !strchr("0123456789abcdefABCDEF", (*at)[1]) ||
                            !strchr("0123456789abcdefABCDEF", (*at)[2])))
            return false;
    }
    return true;
}

static bool date_time(const char **at, const char *end)
{
    return date(at, end) && one_of(at, end, "Tt") && time_of_day(at, end);
}

bool format_fits(SchemaText format, SchemaText text)
{
    static const struct {
        const char *name;
        bool (*fits)(const char **at, const char *end);
    } formats[] = {{"date-time", date_time}, {"date", date},   {"time", time_of_day},
                   {"ipv4", ipv4},           {"ipv6", ipv6},   {"uuid", uuid},
                   {"hostname", hostname},   {"email", email}, {"uri", uri}};

    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        if (strlen(formats[i].name) == format.length &&
            memcmp(formats[i].name, format.text, format.length) == 0) {
            const char *at = text.text, *end = text.text + text.length;
            return formats[i].fits(&at, end) && at == end;
        }
    }
    return true;
}
