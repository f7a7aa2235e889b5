/*
 * The library says that text is not JSON; this says where, for the one who typed it.
 *
 * A stack of the brackets that are open (one bit each) in place of recursion: nesting costs
 * nothing.
 */
#include "json_fault.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What tn_put_json takes. */
enum { DEPTH_MAX = 1000 };

typedef struct Scan {
    const char *at, *end;
    const char *expected;
    size_t depth;
    uint8_t is_object[DEPTH_MAX / 8];
} Scan;

static bool inside_object(const Scan *scan)
{
    size_t top = scan->depth - 1;
    return (scan->is_object[top / 8] >> (top % 8) & 1) != 0;
}

static void skip_space(Scan *scan)
{
    while (scan->at < scan->end && strchr(" \t\r\n", *scan->at) != NULL && *scan->at != '\0')
        scan->at++;
}

static bool at_char(const Scan *scan, char c)
{
    return scan->at < scan->end && *scan->at == c;
}

static bool fail(Scan *scan, const char *expected)
{
    scan->expected = expected;
    return false;
}

static bool scan_string(Scan *scan)
{
    for (scan->at++; scan->at < scan->end && *scan->at != '"'; scan->at++) {
        if ((unsigned char)*scan->at < 0x20)
            return fail(scan, "the rest of the string (a line break in it is written \\n)");
        if (*scan->at != '\\')
            continue;
        scan->at++;
        if (scan->at >= scan->end || *scan->at == '\0' || strchr("\"\\/bfnrtu", *scan->at) == NULL)
            return fail(scan, "an escape such as \\n or \\u00e9");
        for (int i = 0; *scan->at == 'u' && i < 4; i++) {
            if (scan->at + i + 1 >= scan->end || !isxdigit((unsigned char)scan->at[i + 1]))
                return fail(scan, "four hexadecimal digits after \\u");
        }
    }
    if (scan->at >= scan->end)
        return fail(scan, "a closing double quote");
    scan->at++;
    return true;
}

static bool scan_digits(Scan *scan)
{
    const char *start = scan->at;

    while (scan->at < scan->end && isdigit((unsigned char)*scan->at))
        scan->at++;
    return scan->at > start || fail(scan, "a digit");
}

static bool scan_number(Scan *scan)
{
    if (at_char(scan, '-'))
        scan->at++;
    if (at_char(scan, '0')) {
        scan->at++;
    } else if (!scan_digits(scan)) {
        return false;
    }
    if (at_char(scan, '.')) {
        scan->at++;
        if (!scan_digits(scan))
            return false;
    }
    if (at_char(scan, 'e') || at_char(scan, 'E')) {
        scan->at++;
        if (at_char(scan, '+') || at_char(scan, '-'))
            scan->at++;
        return scan_digits(scan);
    }
    return true;
}

/* A string, number or word: whatever is not a bracket. */
static bool scan_scalar(Scan *scan)
{
    static const char *const words[] = {"true", "false", "null"};

    if (at_char(scan, '"'))
        return scan_string(scan);
    if (at_char(scan, '\''))
        return fail(scan, "a double quote: JSON has no single ones");
    if (scan->at < scan->end && (*scan->at == '-' || isdigit((unsigned char)*scan->at)))
        return scan_number(scan);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(scan->end - scan->at) >= length && memcmp(scan->at, words[i], length) == 0) {
            scan->at += length;
            return true;
        }
    }
    return fail(scan, "a value (a string is in double quotes)");
}

/* A member's name and its colon. */
static bool scan_name(Scan *scan)
{
    skip_space(scan);
    if (!at_char(scan, '"'))
        return fail(scan, "a name in double quotes");
    if (!scan_string(scan))
        return false;
    skip_space(scan);
    if (!at_char(scan, ':'))
        return fail(scan, "a colon");
    scan->at++;
    return true;
}

/* After a value: close what ends here, then go to the next element, or stop at the end. */
static bool scan_after_value(Scan *scan)
{
    for (;;) {
        skip_space(scan);
        if (scan->depth == 0)
            return false;
        bool object = inside_object(scan);
        if (at_char(scan, ',')) {
            scan->at++;
            return !object || scan_name(scan);
        }
        if (!at_char(scan, object ? '}' : ']'))
            return fail(scan, object ? "a comma or }" : "a comma or ]");
        scan->at++;
        scan->depth--;
    }
}

/* One value, or the opening of an array or object. False: a fault, or the end. */
static bool scan_value(Scan *scan)
{
    skip_space(scan);
    if (!at_char(scan, '{') && !at_char(scan, '['))
        return scan_scalar(scan) && scan_after_value(scan);
    if (scan->depth == DEPTH_MAX)
        return fail(scan, "at most 1000 levels of nesting");

    bool object = *scan->at++ == '{';
    size_t top = scan->depth++;
    uint8_t bit = (uint8_t)(1u << (top % 8));
    scan->is_object[top / 8] =
        (uint8_t)(object ? scan->is_object[top / 8] | bit : scan->is_object[top / 8] & ~bit);
    skip_space(scan);
    if (at_char(scan, object ? '}' : ']')) {
        scan->at++;
        scan->depth--;
        return scan_after_value(scan);
    }
    return !object || scan_name(scan);
}

JsonFault json_fault(const char *text, size_t length)
{
    Scan scan = {.at = text, .end = text + length};
    JsonFault fault = {1, 1, "JSON"};

    while (scan_value(&scan))
        continue;
    if (scan.expected == NULL && scan.at < scan.end)
        scan.expected = "the end";
    for (const char *c = text; scan.expected != NULL && c < scan.at; c++) {
        fault.column = *c == '\n' ? 1 : fault.column + 1;
        fault.line += *c == '\n';
    }
    if (scan.expected != NULL)
        fault.expected = scan.expected;
    return fault;
}
