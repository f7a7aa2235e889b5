#include "json_tape.h"

#include <string.h>

#include "number.h"
#include "utf8.h"

typedef struct Scanner {
    Tape *tape;
    const char *start;
    const char *at;
    const char *end;
    uint32_t open; /* the innermost open container, plus one; 0: none */
    unsigned depth;
} Scanner;

void tape_release(Tape *tape)
{
    buf_release(&tape->tokens);
    buf_release(&tape->strings);
}

bool tape_is(const Tape *tape, const JsonToken *token, const char *string)
{
    size_t length = strlen(string);
    return token->kind == JSON_STRING && token->length == length &&
           memcmp(tape_text(tape, token), string, length) == 0;
}

uint32_t tape_member(const Tape *tape, uint32_t object, const char *name)
{
    uint32_t end = tape_token(tape, object)->next, found = 0;

    for (uint32_t at = object + 1; at < end; at = tape_token(tape, at + 1)->next) {
        if (tape_is(tape, tape_token(tape, at), name))
            found = at + 1;
    }
    return found;
}

/* ---- scanning ---- */

static uint32_t token_count(const Scanner *scanner)
{
    return (uint32_t)(scanner->tape->tokens.length / sizeof(JsonToken));
}

/* `next` is right for all but containers, which are mended when they end. */
static void add(Scanner *scanner, JsonToken token)
{
    token.next = token_count(scanner) + 1;
    buf_append(&scanner->tape->tokens, &token, sizeof token);
}

static void skip_space(Scanner *scanner)
{
    while (scanner->at < scanner->end && (*scanner->at == ' ' || *scanner->at == '\n' ||
                                          *scanner->at == '\t' || *scanner->at == '\r'))
        scanner->at++;
}

static bool accept(Scanner *scanner, char wanted)
{
    skip_space(scanner);
    if (scanner->at == scanner->end || *scanner->at != wanted)
        return false;
    scanner->at++;
    return true;
}

static bool hex4(Scanner *scanner, uint32_t *out_unit)
{
    uint32_t unit = 0;

    if (scanner->end - scanner->at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = *scanner->at++;
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit > 15)
            return false;
        unit = unit << 4 | digit;
    }
    *out_unit = unit;
    return true;
}

/* "\uD83D\uDE00" is one character; either half alone is a lone surrogate, in WTF-8. */
static bool unicode_escape(Scanner *scanner, Buf *strings)
{
    uint32_t code, low;
    uint8_t bytes[4];

    if (!hex4(scanner, &code))
        return false;
    if (code >= 0xD800 && code <= 0xDBFF && scanner->end - scanner->at >= 6 &&
        scanner->at[0] == '\\' && scanner->at[1] == 'u') {
        const char *before = scanner->at;
        scanner->at += 2;
        if (!hex4(scanner, &low))
            return false;
        if (low >= 0xDC00 && low <= 0xDFFF)
            code = 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00));
        else
            scanner->at = before;
    }
    buf_append(strings, bytes, utf8_encode(code, bytes));
    return true;
}

static bool escape(Scanner *scanner, Buf *strings)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";

    if (scanner->at == scanner->end)
        return false;
    char letter = *scanner->at++;
    if (letter == 'u')
        return unicode_escape(scanner, strings);
    const char *found = letter ? strchr(letters, letter) : NULL;
    if (!found)
        return false;
    buf_append_byte(strings, (uint8_t)meant[found - letters]);
    return true;
}

/* string = '"' (character | escape)* '"'          after its opening quote */
static bool string(Scanner *scanner)
{
    Buf *strings = &scanner->tape->strings;
    JsonToken token = {.kind = JSON_STRING};
    const char *plain = scanner->at;
    size_t begin = strings->length;

    for (;;) {
        while (scanner->at < scanner->end && *scanner->at != '"' && *scanner->at != '\\' &&
               (unsigned char)*scanner->at >= 0x20)
            scanner->at++;
        if (scanner->at == scanner->end || (unsigned char)*scanner->at < 0x20 ||
            !utf8_valid(plain, (size_t)(scanner->at - plain)))
            return false;
        if (*scanner->at == '"')
            break;
        buf_append(strings, plain, (size_t)(scanner->at - plain));
        scanner->at++;
        token.escaped = true;
        if (!escape(scanner, strings))
            return false;
        plain = scanner->at;
    }
    if (token.escaped) {
        buf_append(strings, plain, (size_t)(scanner->at - plain));
        token.offset = (uint32_t)begin;
        token.length = (uint32_t)(strings->length - begin);
    } else {
        token.offset = (uint32_t)(plain - scanner->start);
        token.length = (uint32_t)(scanner->at - plain);
    }
    scanner->at++;
    add(scanner, token);
    if (!strings->failed && tape_is(scanner->tape, &token, "circular"))
        scanner->tape->has_circular = true;
    return true;
}

static bool digits(Scanner *scanner)
{
    const char *before = scanner->at;
    while (scanner->at < scanner->end && *scanner->at >= '0' && *scanner->at <= '9')
        scanner->at++;
    return scanner->at > before;
}

static bool next_is(Scanner *scanner, char a, char b)
{
    if (scanner->at == scanner->end || (*scanner->at != a && *scanner->at != b))
        return false;
    scanner->at++;
    return true;
}

/* number = "-"? ("0" | digit19 digit*) ("." digit+)? (("e" | "E") ("+" | "-")? digit+)? */
static bool number(Scanner *scanner)
{
    const char *begin = scanner->at;

    (void)next_is(scanner, '-', '-');
    if (!next_is(scanner, '0', '0') && !digits(scanner))
        return false;
    if (next_is(scanner, '.', '.') && !digits(scanner))
        return false;
    if (next_is(scanner, 'e', 'E')) {
        (void)next_is(scanner, '+', '-');
        if (!digits(scanner))
            return false;
    }
    size_t length = (size_t)(scanner->at - begin);
    add(scanner, (JsonToken){.kind = JSON_NUMBER, .number = number_parse(begin, length)});
    return true;
}

static bool word(Scanner *scanner, const char *text, JsonKind kind)
{
    size_t length = strlen(text);

    if ((size_t)(scanner->end - scanner->at) < length || memcmp(scanner->at, text, length) != 0)
        return false;
    scanner->at += length;
    add(scanner, (JsonToken){.kind = (uint8_t)kind});
    return true;
}

/* name = string ":" */
static bool name(Scanner *scanner)
{
    return accept(scanner, '"') && string(scanner) && accept(scanner, ':');
}

/* While a container is open, its `offset` is the one around it. */
static bool begin_container(Scanner *scanner, JsonKind kind)
{
    if (scanner->depth == JSON_DEPTH_MAX)
        return false;
    uint32_t around = scanner->open;
    scanner->depth++;
    scanner->open = token_count(scanner) + 1;
    add(scanner, (JsonToken){.kind = (uint8_t)kind, .offset = around});
    return true;
}

/* After a value: the ends of all containers that end here. True in `*out_more` if another value
 * follows, its name (in an object) read. */
static bool after_value(Scanner *scanner, bool *out_more)
{
    while (scanner->open != 0 && !scanner->tape->tokens.failed) {
        JsonToken *container = tape_token(scanner->tape, scanner->open - 1);
        bool object = container->kind == JSON_OBJECT;
        container->length++;
        if (accept(scanner, ',')) {
            *out_more = true;
            return !object || name(scanner);
        }
        if (!accept(scanner, object ? '}' : ']'))
            return false;
        container->next = token_count(scanner);
        scanner->open = container->offset;
        scanner->depth--;
    }
    *out_more = false;
    return true;
}

/* value = "null" | "true" | "false" | number | string | array | object
 * An empty container is a value here; another one goes on with its first child. */
static bool value(Scanner *scanner, bool *out_complete)
{
    *out_complete = true;
    skip_space(scanner);
    if (scanner->at == scanner->end)
        return false;
    switch (*scanner->at) {
    case '"':
        scanner->at++;
        return string(scanner);
    case 'n':
        return word(scanner, "null", JSON_NULL);
    case 't':
        return word(scanner, "true", JSON_TRUE);
    case 'f':
        return word(scanner, "false", JSON_FALSE);
    case '[':
        scanner->at++;
        if (accept(scanner, ']')) {
            add(scanner, (JsonToken){.kind = JSON_ARRAY});
            return true;
        }
        *out_complete = false;
        return begin_container(scanner, JSON_ARRAY);
    case '{':
        scanner->at++;
        if (accept(scanner, '}')) {
            add(scanner, (JsonToken){.kind = JSON_OBJECT});
            return true;
        }
        *out_complete = false;
        return begin_container(scanner, JSON_OBJECT) && name(scanner);
    default:
        return number(scanner);
    }
}

/* json = value          and nothing but space around it */
static bool document(Scanner *scanner)
{
    bool more = true, complete;

    while (more && !scanner->tape->tokens.failed) {
        if (!value(scanner, &complete) || (complete && !after_value(scanner, &more)))
            return false;
    }
    skip_space(scanner);
    return scanner->at == scanner->end;
}

tn_status tape_read(Tape *tape, const tn_allocator *allocator, const char *json, size_t length)
{
    Scanner scanner = {.tape = tape, .start = json, .at = json, .end = json + length};

    *tape = (Tape){.input = json};
    buf_init(&tape->tokens, allocator, SIZE_MAX);
    buf_init(&tape->strings, allocator, SIZE_MAX);
    if (length > UINT32_MAX / 2)
        return TN_ERR_LIMIT;
    bool good = document(&scanner);
    if (tape->tokens.failed || tape->strings.failed)
        return TN_ERR_NOMEM;
    return good ? TN_OK : TN_ERR_ARGUMENT;
}
