/* Regular expressions of ECMA-262 written as PCRE2 has them. */
#include <string.h>

#include "pattern.h"
#include "utf8.h"

typedef struct Translator {
    const char *at, *end;
    Buf *out;
    unsigned groups; /* capturing groups in the whole pattern */
    const char *problem;
} Translator;

/* What \s is, and what \S is, inside a class: PCRE2's own is ASCII only, as \d and \w should be. */
static const char spaces[] = "\\x09-\\x0d\\x20\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}"
                             "\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
static const char no_spaces[] =
    "\\x00-\\x08\\x0e-\\x1f\\x21-\\x9f\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}"
    "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}"
    "\\x{ff00}-\\x{10ffff}";

static void put(Translator *t, const char *text)
{
    buf_append_string(t->out, text);
}

static bool refuse(Translator *t, const char *problem)
{
    if (!t->problem)
        t->problem = problem;
    return false;
}

static bool put_code(Translator *t, uint32_t code)
{
    static const char digits[] = "0123456789abcdef";

    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return refuse(t, "a pattern with half of a surrogate pair");
    put(t, "\\x{");
    for (int shift = 20; shift >= 0; shift -= 4)
        buf_append_byte(t->out, (uint8_t)digits[code >> shift & 15]);
    put(t, "}");
    return true;
}

/* `count` hexadecimal digits. */
static bool read_hex(Translator *t, unsigned count, uint32_t *out)
{
    uint32_t code = 0;

    if ((size_t)(t->end - t->at) < count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        char c = t->at[i];
        unsigned digit = c >= '0' && c <= '9'                 ? (unsigned)(c - '0')
                         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (unsigned)((c | 32) - 'a' + 10)
                                                              : 16;
        if (digit == 16)
            return false;
        code = code << 4 | digit;
    }
    t->at += count;
    *out = code;
    return true;
}

/* After "\u": four digits, a pair of them for two surrogates, or digits in braces. */
static bool unicode_escape(Translator *t)
{
    uint32_t code, low;

    if (t->at < t->end && *t->at == '{') {
        const char *close = memchr(t->at, '}', (size_t)(t->end - t->at));
        size_t count = close ? (size_t)(close - t->at) - 1 : 0;
        t->at++;
        if (count == 0 || count > 6 || !read_hex(t, (unsigned)count, &code))
            return refuse(t, PATTERN_NOT_ECMA);
        t->at++;
        return put_code(t, code);
    }
    if (!read_hex(t, 4, &code))
        return refuse(t, PATTERN_NOT_ECMA);
    const char *before = t->at;
    if (code >= 0xD800 && code < 0xDC00 && t->end - t->at >= 6 && t->at[0] == '\\' &&
        t->at[1] == 'u') {
        t->at += 2;
        if (read_hex(t, 4, &low) && low >= 0xDC00 && low < 0xE000)
            return put_code(t, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        t->at = before;
    }
    return put_code(t, code);
}

/* The long names of general categories, each before its short one. */
static const char categories[] =
    "Letter=L,Cased_Letter=L&,Uppercase_Letter=Lu,Lowercase_Letter=Ll,Titlecase_Letter=Lt,"
    "Modifier_Letter=Lm,Other_Letter=Lo,Mark=M,Combining_Mark=M,Nonspacing_Mark=Mn,Spacing_Mark=Mc,"
    "Enclosing_Mark=Me,Number=N,Decimal_Number=Nd,digit=Nd,Letter_Number=Nl,Other_Number=No,"
    "Punctuation=P,punct=P,Connector_Punctuation=Pc,Dash_Punctuation=Pd,Open_Punctuation=Ps,"
    "Close_Punctuation=Pe,Initial_Punctuation=Pi,Final_Punctuation=Pf,Other_Punctuation=Po,"
    "Symbol=S,Math_Symbol=Sm,Currency_Symbol=Sc,Modifier_Symbol=Sk,Other_Symbol=So,Separator=Z,"
    "Space_Separator=Zs,Line_Separator=Zl,Paragraph_Separator=Zp,Other=C,Control=Cc,cntrl=Cc,"
    "Format=Cf,Surrogate=Cs,Private_Use=Co,Unassigned=Cn,LC=L&,";

/* After "\p" or "\P": a property in braces. PCRE2 knows the short names, and those of scripts. */
static bool property(Translator *t, char letter)
{
    const char *close = memchr(t->at, '}', (size_t)(t->end - t->at));
    char name[64];

    if (!close || *t->at != '{' || (size_t)(close - t->at) > 40)
        return refuse(t, PATTERN_NOT_ECMA);
    memcpy(name, t->at + 1, (size_t)(close - t->at) - 1);
    name[close - t->at - 1] = '\0';
    t->at = close + 1;
    if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=") !=
        strlen(name))
        return refuse(t, PATTERN_NOT_ECMA);
    char *value = strchr(name, '=');
    bool script = value && (name[0] == 's' || name[0] == 'S');
    bool extensions = value && (strncmp(name, "scx", 3) == 0 || strstr(name, "_Ext"));
    value = value ? value + 1 : name;
    strcat(value, "=");
    const char *found = script ? NULL : strstr(categories, value);
    if (found && (found == categories || found[-1] == ',')) {
        size_t length = strcspn(found + strlen(value), ",");
        memcpy(value, found + strlen(value), length);
        value[length] = '\0';
    } else {
        value[strlen(value) - 1] = '\0';
    }
    put(t, letter == 'p' ? "\\p{" : "\\P{");
    if (script)
        put(t, extensions ? "scx:" : "sc:");
    put(t, value);
    put(t, "}");
    return true;
}

static bool decimal(Translator *t, unsigned *out)
{
    const char *begin = t->at;

    for (*out = 0; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++) {
        if (*out < 100000)
            *out = *out * 10 + (unsigned)(*t->at - '0');
    }
    return t->at > begin;
}

/* A reference back, by name or number. */
static bool reference(Translator *t, char letter)
{
    unsigned number;

    if (letter == 'k') {
        const char *close = memchr(t->at, '>', (size_t)(t->end - t->at));
        if (!close || *t->at != '<')
            return refuse(t, PATTERN_NOT_ECMA);
        put(t, "\\k");
        buf_append(t->out, t->at, (size_t)(close - t->at) + 1);
        t->at = close + 1;
        return true;
    }
    t->at--;
    if (!decimal(t, &number) || number > t->groups)
        return refuse(t, PATTERN_NOT_ECMA);
    put(t, "\\g{");
    buf_append_uint(t->out, number);
    put(t, "}");
    return true;
}

/* AtomEscape and ClassEscape: what follows a backslash. */
static bool escape(Translator *t, bool in_class)
{
    uint32_t code;

    if (t->at == t->end)
        return refuse(t, PATTERN_NOT_ECMA);
    char c = *t->at++;
    switch (c) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 't':
    case 'n':
    case 'r':
    case 'f':
        buf_append(t->out, t->at - 2, 2);
        return true;
    case 'v':
        return put_code(t, 11);
    case 's':
    case 'S':
        put(t, in_class ? "" : c == 's' ? "[" : "[^");
        put(t, in_class && c == 'S' ? no_spaces : spaces);
        put(t, in_class ? "" : "]");
        return true;
    case 'b':
        put(t, in_class ? "\\x08" : "\\b");
        return true;
    case 'B':
        put(t, "\\B");
        return !in_class || refuse(t, PATTERN_NOT_ECMA);
    case 'c':
        if (t->at == t->end || (*t->at | 32) < 'a' || (*t->at | 32) > 'z')
            return refuse(t, PATTERN_NOT_ECMA);
        return put_code(t, (uint32_t)(*t->at++ & 31));
    case '0':
        if (t->at < t->end && *t->at >= '0' && *t->at <= '9')
            return refuse(t, PATTERN_NOT_ECMA);
        return put_code(t, 0);
    case 'x':
        return read_hex(t, 2, &code) ? put_code(t, code) : refuse(t, PATTERN_NOT_ECMA);
    case 'u':
        return unicode_escape(t);
    case 'p':
    case 'P':
        return property(t, c);
    default:
        break;
    }
    if (c == 'k' || (c >= '1' && c <= '9'))
        return in_class ? refuse(t, PATTERN_NOT_ECMA) : reference(t, c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return refuse(t, PATTERN_NOT_ECMA);
    t->at--;
    size_t length = utf8_decode(t->at, (size_t)(t->end - t->at), &code);
    t->at += length;
    return length > 0 ? put_code(t, code) : refuse(t, PATTERN_NOT_ECMA);
}

/* CharacterClass, after its bracket. A bracket inside is itself. */
static bool class(Translator *t)
{
    bool inverted = t->at < t->end && *t->at == '^';

    t->at += inverted;
    if (t->at < t->end && *t->at == ']') { /* the empty one matches nothing, its inverse anything */
        t->at++;
        put(t, inverted ? "(?s:.)" : "(?!)");
        return true;
    }
    put(t, inverted ? "[^" : "[");
    while (t->at < t->end && *t->at != ']') {
        char c = *t->at++;
        if (c == '\\') {
            if (!escape(t, true))
                return false;
        } else if (c == '[' || c == '^') {
            put(t, c == '[' ? "\\[" : "\\^");
        } else {
            buf_append_byte(t->out, (uint8_t)c);
        }
    }
    if (t->at == t->end)
        return refuse(t, PATTERN_NOT_ECMA);
    t->at++;
    put(t, "]");
    return true;
}

/* Quantifier, if one is here: at most one, with at most one question mark. */
static bool quantifier(Translator *t, bool after_atom)
{
    const char *begin = t->at;
    unsigned least, most = 0;

    if (*t->at == '{') {
        t->at++;
        bool whole = decimal(t, &least);
        if (whole && t->at < t->end && *t->at == ',') {
            t->at++;
            if (decimal(t, &most) && most < least)
                return refuse(t, PATTERN_NOT_ECMA);
        }
        if (!whole || t->at == t->end || *t->at != '}') { /* a brace like any other letter */
            t->at = begin + 1;
            put(t, "\\{");
            return true;
        }
    }
    t->at++;
    if (!after_atom)
        return refuse(t, PATTERN_NOT_ECMA);
    if (t->at < t->end && *t->at == '?')
        t->at++;
    buf_append(t->out, begin, (size_t)(t->at - begin));
    return true;
}

/* The head of a group: only those that ECMA-262 has. */
static bool group(Translator *t)
{
    static const char *const heads[] = {"?:", "?=", "?!", "?<=", "?<!", "?<"};
    size_t left = (size_t)(t->end - t->at);

    put(t, "(");
    if (left == 0 || *t->at != '?')
        return left == 0 || *t->at != '*' || refuse(t, PATTERN_NOT_ECMA);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        size_t length = strlen(heads[i]);
        if (left > length && memcmp(t->at, heads[i], length) == 0) {
            put(t, heads[i]);
            t->at += length;
            return true;
        }
    }
    return refuse(t, "a kind of group that is not in ECMA-262");
}

/* Groups that capture: what a reference by number may mean. */
static void count_groups(Translator *t)
{
    bool in_class = false;

    for (const char *at = t->at; at < t->end; at++) {
        if (*at == '\\')
            at++;
        else if (*at == '[' || *at == ']')
            in_class = *at == '[';
        else if (*at == '(' && !in_class &&
                 (t->end - at < 4 || at[1] != '?' ||
                  (at[2] == '<' && at[3] != '=' && at[3] != '!')))
            t->groups++;
    }
}

/* Pattern: one atom, assertion or quantifier after the other; nesting is checked by PCRE2. */
static bool translate(Translator *t)
{
    bool after_atom = false;

    count_groups(t);
    while (t->at < t->end && !t->problem) {
        char c = *t->at;
        if (strchr("*+?{", c) && c != '\0') {
            bool brace = c == '{' && t->at + 1 < t->end;
            size_t before = t->out->length;
            (void)quantifier(t, after_atom);
            after_atom = brace && t->out->length - before == 2 && t->at[-1] == '{';
            continue;
        }
        t->at++;
        after_atom = c != '(' && c != '|' && c != '^';
        if (c == '\\')
            (void)escape(t, false);
        else if (c == '[')
            (void)class(t);
        else if (c == '(')
            (void)group(t);
        else if (c == '.')
            put(t, "[^\\n\\r\\x{2028}\\x{2029}]");
        else if (c == '}' || c == ']')
            put(t, c == '}' ? "\\}" : "\\]");
        else
            buf_append_byte(t->out, (uint8_t)c);
    }
    return !t->problem;
}

bool pattern_translate(const char *text, size_t length, Buf *out, const char **out_problem)
{
    Translator translator = {.at = text, .end = text + length, .out = out};

    if (!translate(&translator))
        *out_problem = translator.problem;
    return !translator.problem;
}
