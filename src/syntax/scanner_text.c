/* Tokens with an inside: strings, templates, numbers, regular expressions. */
#include <string.h>

#include "scanner.h"
#include "utf8.h"

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_octal(uint8_t c)
{
    return c >= '0' && c <= '7';
}

static uint32_t hex_value(uint8_t c)
{
    if (is_digit(c))
        return (uint32_t)c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (uint32_t)c - 'a' + 10 : 99;
}

/* ---- escapes ---- */

static void invalid(Scanner *s, bool report, unsigned code, uint32_t start, uint32_t end)
{
    s->flags |= SCAN_INVALID;
    if (report)
        scan_complain(s, code, start, end);
}

int32_t scan_braced_escape(Scanner *s, bool report)
{
    uint32_t digits = s->at + 3;
    uint32_t at = digits;
    uint32_t value = 0;

    for (; hex_value(s->text[at]) < 16; at++)
        value = value > 0x10FFFF ? value : value * 16 + hex_value(s->text[at]);
    bool right = at > digits && value <= 0x10FFFF && at < s->end && s->text[at] == '}';
    s->at = at;
    if (at == digits)
        invalid(s, report, 1125, at, at);
    else if (value > 0x10FFFF)
        invalid(s, report, 1198, digits, at);
    if (at >= s->end)
        invalid(s, report, 1126, at, at);
    else if (s->text[at] == '}')
        s->at++;
    else
        invalid(s, report, 1199, at, at);
    return right ? (int32_t)value : -1;
}

int32_t scan_hex_escape(Scanner *s, uint32_t digits, bool report)
{
    uint32_t value = 0;

    s->at += 2;
    for (uint32_t i = 0; i < digits; i++, s->at++) {
        if (hex_value(s->text[s->at]) > 15) {
            invalid(s, report, 1125, s->at, s->at);
            return -1;
        }
        value = value * 16 + hex_value(s->text[s->at]);
    }
    return (int32_t)value;
}

/* \0 to \377. Only \0 without a digit behind it is allowed. */
static void scan_octal_escape(Scanner *s, bool report)
{
    uint32_t start = s->at;
    uint8_t first = s->text[start + 1];

    s->at += 2;
    if (first == '0' && !is_digit(s->text[s->at]))
        return;
    if (first <= '3' && is_octal(s->text[s->at]))
        s->at++;
    if (is_octal(s->text[s->at]))
        s->at++;
    invalid(s, report, 1487, start, s->at);
}

/* What stands behind a backslash, in a string or a template. */
static void scan_escape(Scanner *s, bool report)
{
    uint32_t bytes;

    s->flags |= SCAN_ESCAPED;
    if (s->at + 1 >= s->end) {
        s->at = s->end;
        scan_complain(s, 1126, s->at, s->at);
        return;
    }
    uint8_t c = s->text[s->at + 1];
    if (is_octal(c)) {
        scan_octal_escape(s, report);
    } else if (c == '8' || c == '9') {
        s->at += 2;
        invalid(s, report, 1488, s->at - 2, s->at);
    } else if (c == 'u') {
        if (s->text[s->at + 2] == '{')
            (void)scan_braced_escape(s, report);
        else
            (void)scan_hex_escape(s, 4, report);
    } else if (c == 'x') {
        (void)scan_hex_escape(s, 2, report);
    } else if (c == '\r' && s->text[s->at + 2] == '\n') {
        s->at += 3;
    } else {
        (void)code_at(s, s->at + 1, &bytes);
        s->at += 1 + bytes;
    }
}

/* ---- strings and templates ---- */

Token scan_string(Scanner *s)
{
    uint8_t quote = s->text[s->at++];

    for (;;) {
        uint8_t c = s->text[s->at];
        if (c == quote) {
            s->at++;
            return TOKEN_STRING_LITERAL;
        }
        if (c == '\\') {
            scan_escape(s, true);
            continue;
        }
        if (c == '\n' || c == '\r' || s->at >= s->end) {
            s->flags |= SCAN_UNTERMINATED;
            scan_complain(s, 1002, s->at, s->at);
            return TOKEN_STRING_LITERAL;
        }
        s->at++;
    }
}

Token scan_template(Scanner *s, bool report)
{
    bool first = s->text[s->at++] == '`';

    for (;;) {
        uint8_t c = s->text[s->at];
        if (c == '`') {
            s->at++;
            break;
        }
        if (c == '$' && s->text[s->at + 1] == '{') {
            s->at += 2;
            return first ? TOKEN_TEMPLATE_HEAD : TOKEN_TEMPLATE_MIDDLE;
        }
        if (c == '\\') {
            scan_escape(s, report);
            continue;
        }
        if (s->at >= s->end) {
            s->flags |= SCAN_UNTERMINATED;
            scan_complain(s, 1160, s->at, s->at);
            break;
        }
        if (c == '\r')
            s->flags |= SCAN_ESCAPED; /* means a line feed */
        s->at++;
    }
    return first ? TOKEN_TEMPLATE : TOKEN_TEMPLATE_TAIL;
}

Token scanner_template(Scanner *s, bool tagged)
{
    s->at = s->start;
    s->flags &= SCAN_LINE_BREAK | SCAN_UNTERMINATED | SCAN_INVALID;
    s->token = (uint16_t)scan_template(s, !tagged);
    return (Token)s->token;
}

/* One escape's meaning; returns the bytes it is written with. A lone surrogate is kept (WTF-8), two
 * that belong together become one code point. */
static uint32_t cook_escape(const uint8_t *c, uint32_t *out_code, bool *out_nothing)
{
    static const char plain[] = "b\bt\tn\nv\vf\fr\r";
    uint32_t value = 0;
    uint32_t at = 2;

    *out_nothing = false;
    if (c[1] == 'x' || (c[1] == 'u' && c[2] != '{')) {
        uint32_t digits = c[1] == 'x' ? 2 : 4;
        for (; at < 2 + digits && hex_value(c[at]) < 16; at++)
            value = value * 16 + hex_value(c[at]);
        *out_code = value;
        return at;
    }
    if (c[1] == 'u') {
        for (at = 3; hex_value(c[at]) < 16; at++)
            value = value > 0x10FFFF ? value : value * 16 + hex_value(c[at]);
        *out_code = value > 0x10FFFF ? 0xFFFD : value;
        return at + (c[at] == '}');
    }
    if (is_octal(c[1])) {
        for (at = 1; at < (c[1] <= '3' ? 4 : 3) && is_octal(c[at]); at++)
            value = value * 8 + (uint32_t)(c[at] - '0');
        *out_code = value;
        return at;
    }
    for (const char *p = plain; *p; p += 2) {
        if ((uint8_t)*p == c[1]) {
            *out_code = (uint8_t)p[1];
            return 2;
        }
    }
    *out_nothing = c[1] == '\n' || c[1] == '\r' ||
                   (c[1] == 0xE2 && c[2] == 0x80 && (c[3] == 0xA8 || c[3] == 0xA9));
    if (*out_nothing)
        return c[1] == 0xE2 ? 4 : c[1] == '\r' && c[2] == '\n' ? 3 : 2;
    *out_code = c[1];
    return 2;
}

/* Text with escapes, as the text it means, into a buffer at least as long. */
static size_t cook(const uint8_t *c, const uint8_t *end, bool template, char *out)
{
    size_t length = 0;
    size_t high_at = SIZE_MAX; /* where a high surrogate was written last */
    uint32_t high = 0;

    while (c < end) {
        uint32_t code = *c;
        bool nothing;
        if (*c == '\r' && template) {
            c += c + 1 < end && c[1] == '\n' ? 2 : 1;
            out[length++] = '\n';
            continue;
        }
        if (*c != '\\' || c + 1 == end) {
            out[length++] = (char)*c++;
            continue;
        }
        bool plain = c[1] >= 0x80; /* an escaped character is itself */
        c += cook_escape(c, &code, &nothing);
        if (nothing)
            continue;
        if (plain) {
            out[length++] = (char)code;
            continue;
        }
        if (code >= 0xDC00 && code <= 0xDFFF && high_at + 3 == length) {
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00);
            length = high_at;
        }
        if (code >= 0xD800 && code <= 0xDBFF) {
            high_at = length;
            high = code;
        }
        length += utf8_encode(code, (uint8_t *)out + length);
    }
    return length;
}

Name *scanner_cook(const Scanner *s, Names *names, Arena *arena, uint32_t start, uint32_t end,
                   bool template)
{
    char small[256];
    char *buffer = small;
    size_t most = (size_t)(end - start) + 8;

    if (most > sizeof(small))
        buffer = arena_push(arena, most);
    if (!buffer)
        return names_get(names, "", 0);
    size_t length = cook(s->text + start, s->text + end, template, buffer);
    return names_get(names, buffer, length);
}

/* ---- numbers ---- */

/* Digits of a base with `_` between them. Returns whether there were any. */
static bool scan_digits(Scanner *s, uint32_t base)
{
    bool separator_allowed = false;
    bool after_separator = false;
    bool any = false;

    for (;; s->at++) {
        uint8_t c = s->text[s->at];
        if (c == '_') {
            s->flags |= SCAN_SEPARATED;
            if (separator_allowed) {
                separator_allowed = false;
                after_separator = true;
            } else {
                scan_complain(s, after_separator ? 6189 : 6188, s->at, s->at + 1);
            }
            continue;
        }
        if (hex_value(c) >= base)
            break;
        any = separator_allowed = true;
        after_separator = false;
    }
    if (s->at > 0 && s->text[s->at - 1] == '_')
        scan_complain(s, 6188, s->at - 1, s->at);

    return any;
}

static Token bigint_or_number(Scanner *s)
{
    if (s->text[s->at] != 'n')
        return TOKEN_NUMERIC;
    s->at++;
    return TOKEN_BIGINT_LITERAL;
}

static bool scan_based_number(Scanner *s, Token *out_token)
{
    uint8_t mark = s->text[s->at + 1] | 0x20;
    uint32_t base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;

    if (s->text[s->at] != '0' || base == 0 || s->end - s->at <= 2)
        return false;
    s->at += 2;
    if (!scan_digits(s, base))
        scan_complain(s, base == 16 ? 1125 : base == 8 ? 1178 : 1177, s->at, s->at);
    *out_token = bigint_or_number(s);
    return true;
}

/* A name may not follow a number at once. It stays for the next token, but an `n` is taken along.
 */
static void check_name_after(Scanner *s, bool exponent_only)
{
    uint32_t bytes;
    uint32_t name = s->at;

    if (s->text[name] == '\\' || !starts_name(code_at(s, name, &bytes)))
        return;
    scan_name_rest(s);
    if (s->at == name + 1 && s->text[name] == 'n') {
        scan_complain(s, exponent_only ? 1352 : 1353, s->start, s->at);
    } else {
        scan_complain(s, 1351, name, s->at);
        s->at = name;
    }
    s->flags &= (uint16_t)~SCAN_ESCAPED;
}

/* 0 and what follows it. Returns true if the number ends here (017). */
static bool scan_leading_zero(Scanner *s, bool after_minus)
{
    uint32_t zero = s->at++;
    bool octal = true;

    if (s->text[s->at] == '_') {
        scan_complain(s, 6188, s->at, s->at + 1);
        s->at = zero;
        (void)scan_digits(s, 10);
        return false;
    }
    for (; is_digit(s->text[s->at]); s->at++)
        octal = octal && is_octal(s->text[s->at]);
    if (s->at == zero + 1)
        return false;
    s->flags |= SCAN_LEGACY;
    if (!octal)
        return false;
    scan_complain(s, 1121, after_minus ? zero - 1 : zero, s->at);
    return true;
}

Token scan_number(Scanner *s)
{
    Token token;
    bool fraction = false;
    bool exponent = false;

    if (scan_based_number(s, &token))
        return token;
    if (s->text[s->at] != '0')
        (void)scan_digits(s, 10);
    else if (scan_leading_zero(s, s->token == TOKEN_MINUS))
        return TOKEN_NUMERIC;
    if (s->text[s->at] == '.') {
        fraction = true;
        s->at++;
        (void)scan_digits(s, 10);
    }
    uint32_t end = s->at;
    if ((s->text[s->at] | 0x20) == 'e') {
        exponent = true;
        s->at++;
        if (s->text[s->at] == '+' || s->text[s->at] == '-')
            s->at++;
        if (scan_digits(s, 10))
            end = s->at;
        else
            scan_complain(s, 1124, s->at, s->at);
    }
    if (s->flags & SCAN_LEGACY) {
        scan_complain(s, 1489, s->start, end);
        return TOKEN_NUMERIC;
    }
    token = fraction || exponent ? TOKEN_NUMERIC : bigint_or_number(s);
    check_name_after(s, exponent && !fraction);
    return token;
}

/* ---- regular expressions ---- */

/* Where an expression that the line ends was most likely meant to end: before a bracket that
 * closes nothing in it, without the blanks and semicolons there. */
static uint32_t guessed_end(const Scanner *s, uint32_t at, uint32_t end)
{
    uint32_t classes = 0;
    uint32_t groups = 0;
    bool quantifier = false;

    for (; at < end; at++) {
        uint8_t c = s->text[at];
        if (c == '\\')
            at++;
        else if (c == '[')
            classes++;
        else if (c == ']' && classes)
            classes--;
        else if (classes)
            continue;
        else if (c == '{')
            quantifier = true;
        else if (c == '}' && quantifier)
            quantifier = false;
        else if (quantifier)
            continue;
        else if (c == '(')
            groups++;
        else if (c == ')' && groups)
            groups--;
        else if (c == ')' || c == ']' || c == '}')
            break;
    }
    if (at > end)
        at = end;
    while (s->text[at - 1] == ';' || s->text[at - 1] == ' ' || s->text[at - 1] == '\t' ||
           s->text[at - 1] == '\v' || s->text[at - 1] == '\f')
        at--;
    return at;
}

Token scanner_regular_expression(Scanner *s)
{
    uint32_t body = s->start + 1;
    uint32_t at = body;
    bool in_class = false;

    for (;; at++) {
        uint8_t c = s->text[at];
        bool ends = at >= s->end || c == '\n' || c == '\r' ||
                    (c == 0xE2 && s->text[at + 1] == 0x80 && (s->text[at + 2] | 1) == 0xA9);
        if (ends) {
            s->flags |= SCAN_UNTERMINATED;
            s->at = guessed_end(s, body, at);
            scan_complain(s, 1161, s->start, s->at);
            break;
        }
        if (c == '/' && !in_class) {
            s->at = at + 1;
            uint16_t flags = s->flags;
            uint32_t bytes;
            while (s->at < s->end && continues_name(code_at(s, s->at, &bytes)))
                s->at += bytes;
            s->flags = flags;
            break;
        }
        if (c == '[')
            in_class = true;
        else if (c == ']')
            in_class = false;
        else if (c == '\\' && at + 1 < s->end && s->text[at + 1] != '\n' && s->text[at + 1] != '\r')
            at++;
    }
    s->token = TOKEN_REGULAR_EXPRESSION;
    return TOKEN_REGULAR_EXPRESSION;
}
