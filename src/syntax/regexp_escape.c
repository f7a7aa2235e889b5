#include "regexp.h"

#include <string.h>

/* ---- characters ---- */

static int32_t read_unit(Regexp *r)
{
    uint32_t bytes;
    uint32_t code = code_at(&r->scan, r->scan.at, &bytes);

    if (code > 0xFFFF) {
        r->half = !r->half;
        code -= 0x10000;
        code = r->half ? 0xD800 + (code >> 10) : 0xDC00 + (code & 0x3FF);
    }
    if (!r->half)
        r->scan.at += bytes;
    return (int32_t)code;
}

int32_t regexp_character(Regexp *r)
{
    uint32_t bytes;

    if (!r->unicode || r->half)
        return read_unit(r);
    uint32_t code = code_at(&r->scan, r->scan.at, &bytes);
    r->scan.at += bytes;
    return (int32_t)code;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* ---- escapes ---- */

/* \1 to \377. */
static int32_t octal_escape(Regexp *r, bool atom)
{
    uint32_t start = r->scan.at - 1;
    int first = regexp_peek(r);
    uint32_t most = first <= '3' ? 3 : 2;
    int32_t value = 0;

    r->scan.at++;
    if (first == '0' && !is_digit(regexp_peek(r)))
        return 0;
    value = first - '0';
    for (uint32_t i = 1; i < most && regexp_peek(r) >= '0' && regexp_peek(r) <= '7'; i++)
        value = value * 8 + (r->scan.text[r->scan.at++] - '0');
    regexp_wrong(r, atom || first == '0' ? 1487 : 1536, start, r->scan.at);
    return value;
}

/* \u and what follows. Two that make one character are taken together. */
static int32_t unicode_escape(Regexp *r)
{
    Scanner *s = &r->scan;
    uint32_t start = --s->at;
    int32_t value;

    if (s->text[start + 2] == '{') {
        value = scan_braced_escape(s, true);
        if (!r->unicode)
            regexp_wrong(r, 1538, start, s->at);
        return value < 0 ? ATOM_TEXT : value;
    }
    value = scan_hex_escape(s, 4, true);
    if (r->unicode && value >= 0xD800 && value <= 0xDBFF && s->at + 6 < s->end &&
        s->text[s->at] == '\\' && s->text[s->at + 1] == 'u' && s->text[s->at + 2] != '{') {
        uint32_t second = s->at;
        int32_t low = scan_hex_escape(s, 4, false);
        if (low >= 0xDC00 && low <= 0xDFFF)
            return 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
        s->at = second;
    }
    return value < 0 ? ATOM_TEXT : value;
}

/* \c and a letter; without one it is just these two characters, or (in a class) what follows. */
static int32_t control_escape(Regexp *r, bool atom)
{
    r->scan.at++;
    int c = regexp_peek(r);
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
        r->scan.at++;
        return c & 31;
    }
    if (r->unicode) {
        regexp_wrong(r, 1512, r->scan.at - 2, r->scan.at);
    } else if (atom) {
        r->scan.at--;
        return '\\';
    }
    if (c == REGEXP_END)
        return 0xFFFF;
    uint32_t at = r->scan.at;
    bool half = r->half;
    int32_t unit = read_unit(r);
    r->scan.at = at;
    r->half = half;
    return unit;
}

int32_t regexp_escape(Regexp *r, bool atom)
{
    static const char plain[] = "^$/\\.*+?()[]{}|'\"";
    static const char blanks[] = "tnvfr";
    static const uint8_t meanings[] = "\t\n\v\f\r";
    Scanner *s = &r->scan;
    uint32_t start = s->at - 1;
    int c = regexp_peek(r);

    if (c == REGEXP_END) {
        regexp_wrong(r, 1513, start, s->at);
        return '\\';
    }
    if (c >= '0' && c <= '7')
        return octal_escape(r, atom);
    if (c == 'c')
        return control_escape(r, atom);
    if (c == 'u')
        return unicode_escape(r);
    if (c == 'x') {
        s->at--;
        int32_t value = scan_hex_escape(s, 2, true);
        return value < 0 ? ATOM_TEXT : value;
    }
    const char *blank = memchr(blanks, c, sizeof(blanks) - 1);
    if (blank) {
        s->at++;
        return meanings[blank - blanks];
    }
    int32_t unit = read_unit(r);
    if (c == '8' || c == '9')
        regexp_wrong(r, 1537, start, s->at);
    else if (r->unicode && !memchr(plain, c, sizeof(plain) - 1))
        regexp_wrong(r, 1535, start, r->half ? s->at + 4 : s->at);
    return unit;
}

/* ---- \p{...} ---- */

/* The names of Unicode's properties and of their values, as hashes of three bytes, in order: of
 * the kind of name, a letter, and the name. Printed by tests/syntax/regexp.mjs --table. */
static const uint8_t properties[][3] = {
/* clang-format off */
#include "regexp_properties.inc"
    /* clang-format on */
};

/* FNV-1a, folded to 24 bits. */
static bool is_property(const Regexp *r, char kind, uint32_t start)
{
    uint32_t hash = (2166136261u ^ (uint8_t)kind) * 16777619u;
    size_t low = 0;
    size_t high = sizeof(properties) / sizeof(properties[0]);

    for (uint32_t at = start; at < r->scan.at; at++)
        hash = (hash ^ r->scan.text[at]) * 16777619u;
    hash = (hash >> 24) ^ (hash & 0xFFFFFF);
    while (low < high) {
        size_t middle = (low + high) / 2;
        const uint8_t *p = properties[middle];
        uint32_t here = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        if (here == hash)
            return true;
        if (hash < here)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* Letters, digits and `_`. Returns where they begin. */
static uint32_t read_word(Regexp *r)
{
    uint32_t start = r->scan.at;

    for (;; r->scan.at++) {
        int c = regexp_peek(r);
        if (!(c >= '0' && c <= '9') && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && c != '_')
            return start;
    }
}

/* `name=value` */
static void read_property_value(Regexp *r, uint32_t start)
{
    uint32_t end = r->scan.at;
    char kind = is_property(r, 'c', start) ? 'g' : is_property(r, 'S', start) ? 's' : 0;

    if (end == start)
        regexp_wrong(r, 1523, start, end);
    else if (!kind)
        regexp_wrong(r, 1524, start, end);
    r->scan.at++;
    start = read_word(r);
    if (r->scan.at == start)
        regexp_wrong(r, 1525, start, start);
    else if (kind && !is_property(r, kind, start))
        regexp_wrong(r, 1526, start, r->scan.at);
}

/* A value of the general category, or a property that is there or not. */
static void read_lone_property(Regexp *r, uint32_t start, bool complement)
{
    uint32_t end = r->scan.at;

    if (end == start) {
        regexp_wrong(r, 1527, start, end);
    } else if (is_property(r, 't', start)) {
        if (!r->sets)
            regexp_wrong(r, 1528, start, end);
        else if (complement)
            regexp_wrong(r, 1518, start, end);
        else
            r->may_be_text = true;
    } else if (!is_property(r, 'g', start) && !is_property(r, 'b', start)) {
        regexp_wrong(r, 1529, start, end);
    }
}

bool regexp_class_escape(Regexp *r)
{
    Scanner *s = &r->scan;
    int c = regexp_peek(r);
    uint32_t escape = s->at - 1;

    if (c > 0 && c < 0x80 && memchr("dDsSwW", c, 6)) {
        s->at++;
        return true;
    }
    if (c != 'p' && c != 'P')
        return false;
    if (s->text[s->at + 1] != '{') {
        if (!r->unicode)
            return false;
        s->at++;
        regexp_wrong(r, 1531, escape, s->at);
        return true;
    }
    s->at += 2;
    uint32_t start = read_word(r);
    if (regexp_peek(r) == '=')
        read_property_value(r, start);
    else
        read_lone_property(r, start, c == 'P');
    regexp_expect(r, TOKEN_CLOSE_BRACE);
    if (!r->unicode)
        regexp_wrong(r, 1530, escape, s->at);
    return true;
}
