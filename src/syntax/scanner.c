#include "scanner.h"

#include <string.h>

#include "utf8.h"
#include "words.h"

/* What a byte can be the start of. */
typedef enum Class {
    OTHER, /* beyond ASCII, or nothing */
    BLANK, /* space, tab, VT, FF */
    NEWLINE,
    WORD, /* letter, $, _ */
    NUMBER,
    QUOTE,
    SINGLE, /* a sign that is never the start of a longer one */
    SIGN,   /* a sign that may be; from here on each has a class of its own */
} Class;

/* clang-format off */
#define LETTERS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) \
    X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25)
static const uint8_t classes[256] = {
#define X(n) ['a' + n] = WORD, ['A' + n] = WORD,
    LETTERS(X)
#undef X
    ['$'] = WORD, ['_'] = WORD,
    ['0'] = NUMBER, ['1'] = NUMBER, ['2'] = NUMBER, ['3'] = NUMBER, ['4'] = NUMBER,
    ['5'] = NUMBER, ['6'] = NUMBER, ['7'] = NUMBER, ['8'] = NUMBER, ['9'] = NUMBER,
    [' '] = BLANK, ['\t'] = BLANK, ['\v'] = BLANK, ['\f'] = BLANK,
    ['\n'] = NEWLINE, ['\r'] = NEWLINE,
    ['"'] = QUOTE, ['\''] = QUOTE,
    ['{'] = SINGLE, ['}'] = SINGLE, ['('] = SINGLE, [')'] = SINGLE, ['['] = SINGLE,
    [']'] = SINGLE, [';'] = SINGLE, [','] = SINGLE, [':'] = SINGLE, ['~'] = SINGLE,
    ['@'] = SINGLE,
    ['.'] = SIGN, ['<'] = SIGN + 1, ['>'] = SIGN + 2, ['='] = SIGN + 3, ['!'] = SIGN + 4,
    ['+'] = SIGN + 5, ['-'] = SIGN + 6, ['*'] = SIGN + 7, ['/'] = SIGN + 8, ['%'] = SIGN + 9,
    ['&'] = SIGN + 10, ['|'] = SIGN + 11, ['^'] = SIGN + 12, ['?'] = SIGN + 13,
};
/* What a sign is that stands alone. */
static const uint8_t singles[128] = {
    ['{'] = TOKEN_OPEN_BRACE, ['}'] = TOKEN_CLOSE_BRACE, ['('] = TOKEN_OPEN_PAREN,
    [')'] = TOKEN_CLOSE_PAREN, ['['] = TOKEN_OPEN_BRACKET, [']'] = TOKEN_CLOSE_BRACKET,
    [';'] = TOKEN_SEMICOLON, [','] = TOKEN_COMMA, [':'] = TOKEN_COLON, ['~'] = TOKEN_TILDE,
    ['@'] = TOKEN_AT,
    ['.'] = TOKEN_DOT, ['<'] = TOKEN_LESS, ['>'] = TOKEN_GREATER, ['='] = TOKEN_EQUALS,
    ['!'] = TOKEN_EXCLAMATION, ['+'] = TOKEN_PLUS, ['-'] = TOKEN_MINUS, ['*'] = TOKEN_ASTERISK,
    ['/'] = TOKEN_SLASH, ['%'] = TOKEN_PERCENT, ['&'] = TOKEN_AMPERSAND, ['|'] = TOKEN_BAR,
    ['^'] = TOKEN_CARET, ['?'] = TOKEN_QUESTION,
};

typedef struct Sign {
    uint8_t token;
    uint8_t length;
    char rest[4]; /* behind the first character */
} Sign;

/* Those of more than one character, by the class of the first, the longest before the others. `>`
 * stands alone: two of them may close two lists of type arguments. */
static const Sign signs[14][4] = {
    {{TOKEN_DOT_DOT_DOT, 3, ".."}},
    {{TOKEN_LESS_LESS_EQUALS, 3, "<="}, {TOKEN_LESS_LESS, 2, "<"}, {TOKEN_LESS_EQUALS, 2, "="}},
    {{0}},
    {{TOKEN_EQUALS_EQUALS_EQUALS, 3, "=="}, {TOKEN_EQUALS_EQUALS, 2, "="}, {TOKEN_ARROW, 2, ">"}},
    {{TOKEN_EXCLAMATION_EQUALS_EQUALS, 3, "=="}, {TOKEN_EXCLAMATION_EQUALS, 2, "="}},
    {{TOKEN_PLUS_PLUS, 2, "+"}, {TOKEN_PLUS_EQUALS, 2, "="}},
    {{TOKEN_MINUS_MINUS, 2, "-"}, {TOKEN_MINUS_EQUALS, 2, "="}},
    {{TOKEN_ASTERISK_ASTERISK_EQUALS, 3, "*="}, {TOKEN_ASTERISK_ASTERISK, 2, "*"},
     {TOKEN_ASTERISK_EQUALS, 2, "="}},
    {{TOKEN_SLASH_EQUALS, 2, "="}},
    {{TOKEN_PERCENT_EQUALS, 2, "="}},
    {{TOKEN_AMPERSAND_AMPERSAND_EQUALS, 3, "&="}, {TOKEN_AMPERSAND_AMPERSAND, 2, "&"},
     {TOKEN_AMPERSAND_EQUALS, 2, "="}},
    {{TOKEN_BAR_BAR_EQUALS, 3, "|="}, {TOKEN_BAR_BAR, 2, "|"}, {TOKEN_BAR_EQUALS, 2, "="}},
    {{TOKEN_CARET_EQUALS, 2, "="}},
    {{TOKEN_QUESTION_QUESTION_EQUALS, 3, "?="}, {TOKEN_QUESTION_QUESTION, 2, "?"},
     {TOKEN_QUESTION_DOT, 2, "."}},
};
/* clang-format on */

static bool in_name(uint8_t c)
{
    return classes[c] == WORD || classes[c] == NUMBER;
}

/* ---- eight bytes at a time ----
 *
 * Words and the blanks in front of lines are short, and where they end cannot be foretold: byte by
 * byte, each would cost a wrong guess of the processor. */

#define EACH(byte) (0x0101010101010101u * (uint64_t)(byte))

static uint64_t eight(const uint8_t *c)
{
    uint64_t bytes;

    memcpy(&bytes, c, sizeof(bytes));
    return bytes;
}

/* How many bytes are 0 before the first that is not; there is one. */
static unsigned zeros(uint64_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (unsigned)__builtin_ctzll(bytes) / 8;
#else
    return (unsigned)__builtin_clzll(bytes) / 8;
#endif
}

/* The high bit of each byte that is no letter, digit, $ or _. Sums of seven bits carry into it. */
static uint64_t not_in_name(uint64_t bytes)
{
    uint64_t low = bytes & EACH(0x7F);
    uint64_t lower = low | EACH(0x20);
    uint64_t letters = (lower + EACH(0x80 - 'a')) & ~(lower + EACH(0x7F - 'z'));
    uint64_t digits = (low + EACH(0x80 - '0')) & ~(low + EACH(0x7F - '9'));
    uint64_t not_signs = ((low ^ EACH('$')) + EACH(0x7F)) & ((low ^ EACH('_')) + EACH(0x7F));

    return (bytes | (not_signs & ~(letters | digits))) & EACH(0x80);
}

static const uint8_t *name_end(const Scanner *s, const uint8_t *c)
{
    const uint8_t *end = s->text + s->end;

    while (end - c >= 8) {
        uint64_t others = not_in_name(eight(c));
        if (others)
            return c + zeros(others);
        c += 8;
    }
    while (in_name(*c))
        c++;
    return c;
}

static const uint8_t *spaces_end(const Scanner *s, const uint8_t *c)
{
    const uint8_t *end = s->text + s->end;

    while (end - c >= 8) {
        uint64_t others = eight(c) ^ EACH(' ');
        if (others)
            return c + zeros(others);
        c += 8;
    }
    return c;
}

void scanner_init(Scanner *s, const Source *source, Complaints *complaints)
{
    *s = (Scanner){.text = (const uint8_t *)source->text,
                   .end = (uint32_t)source->length,
                   .complaints = complaints};
}

void scan_complain(Scanner *s, unsigned code, uint32_t start, uint32_t end)
{
    complain(s->complaints, (Complaint){.start = start, .end = end, .code = (uint16_t)code});
}

uint32_t code_at(const Scanner *s, uint32_t at, uint32_t *out_bytes)
{
    uint32_t code = s->text[at];
    size_t bytes = 1;

    if (code >= 0x80) {
        bytes = utf8_decode(s->text + at, s->end - at, &code);
        if (bytes == 0) {
            bytes = 1;
            code = 0xFFFD;
        }
    }
    *out_bytes = (uint32_t)bytes;
    return code;
}

bool starts_name(uint32_t code)
{
    return code < 0x80 ? classes[code] == WORD : unicode_starts_name(code);
}

bool continues_name(uint32_t code)
{
    return code < 0x80 ? in_name((uint8_t)code) : unicode_continues_name(code);
}

/* ---- what stands between tokens ---- */

static bool is_blank(uint32_t code)
{
    return code == 0xA0 || code == 0x85 || code == 0x1680 || (code >= 0x2000 && code <= 0x200B) ||
           code == 0x202F || code == 0x205F || code == 0x3000 || code == 0xFEFF;
}

static bool is_line_separator(const uint8_t *at)
{
    return at[0] == 0xE2 && at[1] == 0x80 && (at[2] == 0xA8 || at[2] == 0xA9);
}

static uint32_t end_of_line(const Scanner *s, uint32_t at)
{
    while (at < s->end) {
        uint8_t c = s->text[at];
        if (c == '\n' || c == '\r' || (c == 0xE2 && is_line_separator(s->text + at)))
            break;
        at++;
    }
    return at;
}

static void skip_block_comment(Scanner *s)
{
    uint32_t at = s->at + 2;

    for (; at < s->end; at++) {
        uint8_t c = s->text[at];
        if (c == '*' && s->text[at + 1] == '/') {
            s->at = at + 2;
            return;
        }
        if (c == '\n' || c == '\r' || (c == 0xE2 && is_line_separator(s->text + at)))
            s->flags |= SCAN_LINE_BREAK;
    }
    s->at = s->end;
    scan_complain(s, 1010, s->end, s->end);
}

/* Seven of the same at the start of a line, as version control leaves them. */
static bool is_conflict_marker(const Scanner *s, uint32_t at)
{
    uint8_t c = s->text[at];

    if (at > 0 && s->text[at - 1] != '\n' && s->text[at - 1] != '\r' &&
        !(at >= 3 && is_line_separator(s->text + at - 3)))
        return false;
    if (s->end - at <= 7)
        return false;
    for (uint32_t i = 1; i < 7; i++) {
        if (s->text[at + i] != c)
            return false;
    }
    return c == '=' || s->text[at + 7] == ' ';
}

/* The markers around are skipped by lines, the part between `=======` and `>>>>>>>` whole. */
static void skip_conflict_marker(Scanner *s)
{
    uint8_t c = s->text[s->at];

    scan_complain(s, 1185, s->at, s->at + 7);
    if (c == '<' || c == '>') {
        s->at = end_of_line(s, s->at);
        return;
    }
    while (s->at < s->end) {
        uint8_t other = s->text[s->at];
        if ((other == '=' || other == '>') && other != c && is_conflict_marker(s, s->at))
            break;
        s->at++;
    }
}

/* Beyond ASCII: blanks and line ends. */
static bool skip_wide(Scanner *s)
{
    uint32_t bytes;
    uint32_t code = code_at(s, s->at, &bytes);

    if (code == 0x2028 || code == 0x2029)
        s->flags |= SCAN_LINE_BREAK;
    else if (!is_blank(code))
        return false;
    s->at += bytes;
    return true;
}

/* What stands between tokens and is no blank: comments, and signs nobody meant. False if a token
 * begins here. */
static bool skip_sign(Scanner *s)
{
    const uint8_t *c = s->text + s->at;

    if (c[0] >= 0x80)
        return skip_wide(s);
    if (c[0] == '#' && c[1] == '!' && s->at == 0) {
        s->at = end_of_line(s, 0);
        return true;
    }
    if (c[0] == '/' && c[1] == '/') {
        s->at = end_of_line(s, s->at);
        return true;
    }
    if (c[0] == '/' && c[1] == '*') {
        skip_block_comment(s);
        return true;
    }
    if ((c[0] == '<' || c[0] == '=' || c[0] == '>' || c[0] == '|') && c[0] == c[1] &&
        is_conflict_marker(s, s->at)) {
        skip_conflict_marker(s);
        return true;
    }
    return false;
}

/* Returns where the token begins. The NUL behind the text is none. Apart from what it is called by,
 * which mostly needs no more than a look. */
__attribute__((noinline)) static const uint8_t *skip_trivia(Scanner *s, const uint8_t *c)
{
    for (;;) {
        while (classes[*c] == BLANK || classes[*c] == NEWLINE) {
            if (classes[*c] == NEWLINE)
                s->flags |= SCAN_LINE_BREAK;
            c = spaces_end(s, c + 1);
        }
        s->at = (uint32_t)(c - s->text);
        if ((classes[*c] != OTHER && classes[*c] < SIGN) || !skip_sign(s))
            return c;
        c = s->text + s->at;
    }
}

/* ---- names ---- */

static uint32_t hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return (uint32_t)c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (uint32_t)c - 'a' + 10 : 99;
}

/* \u{...}: the rest of it is complained about here, and gone past whatever it is. */
static bool braced_name_escape(Scanner *s, bool first)
{
    uint32_t at = s->at + 3;
    uint32_t digits = at;
    uint32_t value = 0;

    for (; hex_value(s->text[at]) < 16; at++)
        value = value > 0x10FFFF ? value : value * 16 + hex_value(s->text[at]);
    if (at == digits || !(first ? starts_name(value) : continues_name(value)))
        return false;
    s->at = at;
    s->flags |= SCAN_ESCAPED;
    if (at >= s->end)
        scan_complain(s, 1126, at, at);
    else if (s->text[at] == '}')
        s->at++;
    else
        scan_complain(s, 1199, at, at);
    return true;
}

bool scan_name_escape(Scanner *s, bool first)
{
    const uint8_t *c = s->text + s->at;
    uint32_t value = 0;

    if (s->end - s->at < 3 || c[1] != 'u')
        return false;
    if (c[2] == '{')
        return braced_name_escape(s, first);
    if (s->end - s->at < 6)
        return false;
    for (int i = 2; i < 6; i++) {
        if (hex_value(c[i]) > 15)
            return false;
        value = value * 16 + hex_value(c[i]);
    }
    if (!(first ? starts_name(value) : continues_name(value)))
        return false;
    s->at += 6;
    s->flags |= SCAN_ESCAPED;
    return true;
}

void scan_name_rest(Scanner *s)
{
    for (;;) {
        while (in_name(s->text[s->at]))
            s->at++;
        uint8_t c = s->text[s->at];
        if (c == '\\' && scan_name_escape(s, false))
            continue;
        if (c < 0x80)
            return;
        uint32_t bytes;
        if (!continues_name(code_at(s, s->at, &bytes)))
            return;
        s->at += bytes;
    }
}

/* A word written with escapes is still that word, if only to be complained about. */
static Token escaped_word(const Scanner *s)
{
    char word[16];
    size_t length = 0;

    for (uint32_t at = s->start; at < s->at; length++) {
        if (length == sizeof(word))
            return TOKEN_IDENTIFIER;
        if (s->text[at] != '\\') {
            word[length] = (char)s->text[at++];
            continue;
        }
        uint32_t value = 0;
        bool braced = s->text[at + 2] == '{';
        at += braced ? 3 : 2;
        for (int i = 0; (braced || i < 4) && hex_value(s->text[at]) < 16; i++)
            value = (value & 0xFFFFFF) * 16 + hex_value(s->text[at++]);
        at += braced && s->text[at] == '}';
        if (value >= 0x80)
            return TOKEN_IDENTIFIER;
        word[length] = (char)value;
    }
    Token token = word_token(word, length);
    return token ? token : TOKEN_IDENTIFIER;
}

/* What is no name in ASCII alone. */
static Token scan_wide_word(Scanner *s)
{
    scan_name_rest(s);
    return s->flags & SCAN_ESCAPED ? escaped_word(s) : TOKEN_IDENTIFIER;
}

static Token scan_word(Scanner *s, const uint8_t *c)
{
    const uint8_t *end = name_end(s, c);

    s->at = (uint32_t)(end - s->text);
    if (*end >= 0x80 || *end == '\\')
        return scan_wide_word(s);
    if (*c < 'a' || *c > 'y')
        return TOKEN_IDENTIFIER;
    Token token = word_token((const char *)c, (size_t)(end - c));
    return token ? token : TOKEN_IDENTIFIER;
}

/* #name. A `#` alone is complained about and taken for one. */
static Token scan_private_name(Scanner *s)
{
    uint32_t bytes;

    if (s->text[s->at + 1] == '!') {
        scan_complain(s, 18026, s->at, s->at + 2);
        s->at++;
        return TOKEN_UNKNOWN_CHARACTER;
    }
    s->at++;
    if (s->text[s->at] == '\\') {
        if (scan_name_escape(s, true)) {
            scan_name_rest(s);
            return TOKEN_PRIVATE_IDENTIFIER;
        }
    } else if (s->at < s->end && starts_name(code_at(s, s->at, &bytes))) {
        s->at += bytes;
        scan_name_rest(s);
        return TOKEN_PRIVATE_IDENTIFIER;
    }
    scan_complain(s, 1127, s->start, s->at);
    return TOKEN_PRIVATE_IDENTIFIER;
}

static Token scan_other(Scanner *s)
{
    uint8_t c = s->text[s->at];
    uint32_t bytes;

    if (c == '`')
        return scan_template(s, false);
    if (c == '#')
        return scan_private_name(s);
    if (c == '\\') {
        if (scan_name_escape(s, true)) {
            scan_name_rest(s);
            return escaped_word(s);
        }
        scan_complain(s, 1127, s->at, s->at);
        s->at++;
        return TOKEN_UNKNOWN_CHARACTER;
    }
    uint32_t code = code_at(s, s->at, &bytes);
    if (code == 0xFFFD) {
        scan_complain(s, 1490, 0, 0);
        s->at = s->end;
        return TOKEN_UNKNOWN_CHARACTER;
    }
    s->at += bytes;
    if (starts_name(code))
        return scan_wide_word(s);
    scan_complain(s, 1127, s->start, s->at);
    return TOKEN_UNKNOWN_CHARACTER;
}

/* Byte by byte: the text may end in between. */
static bool begins(const uint8_t *c, const char *with)
{
    while (*with && *c == (uint8_t)*with) {
        c++;
        with++;
    }
    return !*with;
}

static Token scan_sign(Scanner *s)
{
    const uint8_t *c = s->text + s->at;
    const Sign *sign = signs[classes[c[0]] - SIGN];

    while (sign->length > 0 && !begins(c + 1, sign->rest))
        sign++;
    /* `?.` before a digit is a `?` and a number. */
    if (sign->length == 0 || (sign->token == TOKEN_QUESTION_DOT && classes[c[2]] == NUMBER)) {
        s->at++;
        return (Token)singles[c[0]];
    }
    s->at += sign->length;
    return (Token)sign->token;
}

/* What is neither a word nor a sign that stands alone. */
static Token scan_rarer(Scanner *s)
{
    switch (classes[s->text[s->at]]) {
    case NUMBER:
        return scan_number(s);
    case QUOTE:
        return scan_string(s);
    case OTHER:
        return s->at < s->end ? scan_other(s) : TOKEN_END;
    default:
        return classes[s->text[s->at + 1]] == NUMBER ? scan_number(s) : scan_sign(s);
    }
}

Token scanner_next(Scanner *s)
{
    const uint8_t *c = s->text + s->at;
    Token token;

    s->full_start = s->at;
    s->flags = 0;
    c += *c == ' '; /* nothing or one space, mostly: without a branch */
    unsigned kind = classes[*c];
    if (kind <= NEWLINE || (kind >= SIGN && (c[0] == '/' || c[0] == c[1]))) {
        c = skip_trivia(s, c);
        kind = classes[*c];
    }
    s->at = s->start = (uint32_t)(c - s->text);
    if (kind == WORD) {
        token = scan_word(s, c);
    } else if (kind == SINGLE ||
               (kind > SINGLE && classes[c[1]] < SIGN && !(*c == '.' && classes[c[1]] == NUMBER))) {
        token = (Token)singles[*c];
        s->at++;
    } else {
        token = scan_rarer(s);
    }
    s->token = (uint16_t)token;
    return token;
}

Token scanner_join_greater(Scanner *s)
{
    static const Sign joined[] = {
        {TOKEN_GREATER_GREATER_GREATER_EQUALS, 3, ">>="},
        {TOKEN_GREATER_GREATER_GREATER, 2, ">>"},
        {TOKEN_GREATER_GREATER_EQUALS, 2, ">="},
        {TOKEN_GREATER_GREATER, 1, ">"},
        {TOKEN_GREATER_EQUALS, 1, "="},
    };

    if (s->token != TOKEN_GREATER)
        return (Token)s->token;
    for (size_t i = 0; i < sizeof(joined) / sizeof(joined[0]); i++) {
        if (!begins(s->text + s->at, joined[i].rest))
            continue;
        s->at += joined[i].length;
        s->token = joined[i].token;
        break;
    }
    return (Token)s->token;
}

Token scanner_split(Scanner *s, Token first)
{
    s->at = s->start + 1;
    s->token = (uint16_t)first;
    return first;
}
