#include "layout.h"

#include <string.h>

#include "plain.h"
#include "utf8.h"

/* ---- pieces ---- */

static size_t string_end(const char *text, size_t end, size_t at)
{
    char quote = text[at++];

    while (at < end && text[at] != quote && (quote == '`' || text[at] != '\n'))
        at += text[at] == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

static size_t comment_end(const char *text, size_t end, size_t at)
{
    const char *close = text[at + 1] == '/' ? memchr(text + at, '\n', end - at)
                                            : memmem(text + at + 2, end - at - 2, "*/", 2);

    if (!close)
        return end;
    return (size_t)(close - text) + (text[at + 1] == '/' ? 0 : 2);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

char layout_piece(const char *text, size_t end, size_t at, size_t *out_end)
{
    char c = text[at];

    if (is_blank(c)) {
        while (at < end && is_blank(text[at]))
            at++;
        *out_end = at;
        return ' ';
    }
    if (c == '"' || c == '\'' || c == '`') {
        *out_end = string_end(text, end, at);
        return '"';
    }
    if (c == '/' && at + 1 < end && (text[at + 1] == '/' || text[at + 1] == '*')) {
        *out_end = comment_end(text, end, at);
        return '/';
    }
    *out_end = at + 1;
    return 0;
}

/* ---- one line ---- */

typedef struct Line {
    Buf *out;
    size_t start;        /* of the line in `out` */
    unsigned braces_max; /* deeper ones are abridged */
    unsigned braces;
    bool blank; /* since the last piece */
    bool abridged;
} Line;

static char last_of(const Line *line)
{
    return line->out->length > line->start ? (char)line->out->data[line->out->length - 1] : 0;
}

static bool ends_member(const DeclaredFile *file, size_t at)
{
    return file->ends && (file->ends[at / 8] >> at % 8 & 1);
}

/* What stands between two pieces: nothing, a blank, or the semicolon that a line's end stood for.
 */
static void put_gap(Line *line, char next, bool member)
{
    char last = last_of(line);

    if ((next == ')' || next == ']') && last == ',') {
        buf_truncate(line->out, line->out->length - 1);
        line->blank = false;
        return;
    }
    if (next == '}' && last == ';') /* a mark between members, not behind the last */
        buf_truncate(line->out, line->out->length - 1);
    if (member && line->blank && next != '}' && last != ';' && last != ',' && last != '{')
        buf_append_byte(line->out, ';');
    if (line->blank && last != 0 && !strchr("([<", last) && !strchr(")],;", next))
        buf_append_byte(line->out, ' ');
    line->blank = false;
}

/* A `|` that only begins a line. */
static bool is_leading_bar(const Line *line, char c)
{
    char last = last_of(line);

    return (c == '|' || c == '&') && last != 0 && strchr("=:(<,|", last) != NULL;
}

static void put_text(Buf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;)
        i += plain_character(out, text + i, length - i);
}

/* Past the brace that closes what is abridged here. */
static size_t skip_braces(const DeclaredFile *file, size_t at, size_t end)
{
    unsigned depth = 0;

    while (at < end) {
        size_t next;
        bool sign = layout_piece(file->text, end, at, &next) == 0;
        depth += sign && file->text[at] == '{';
        if (sign && file->text[at] == '}' && --depth == 0)
            return next;
        at = next;
    }
    return end;
}

static void put_line(Line *line, const DeclaredFile *file, Span span)
{
    size_t at = span.start, next, code_end = span.start;

    for (; at < span.end && !line->out->failed; at = next) {
        char kind = layout_piece(file->text, span.end, at, &next);
        char c = file->text[at];
        if (kind == ' ' || kind == '/') {
            line->blank = true;
            continue;
        }
        if (kind == 0 && is_leading_bar(line, c))
            continue;
        put_gap(line, c, ends_member(file, code_end));
        if (kind == 0 && c == '{' && line->braces == line->braces_max) {
            buf_append_string(line->out, "{ ... }");
            line->abridged = true;
            next = skip_braces(file, at, span.end);
        } else if (kind == '"' || (unsigned char)c < 0x80) {
            put_text(line->out, file->text + at, next - at);
            line->braces += kind == 0 && c == '{';
            line->braces -= kind == 0 && c == '}' && line->braces > 0;
        } else {
            next = at + plain_character(line->out, file->text + at, span.end - at);
        }
        code_end = next;
    }
}

bool layout_line(Buf *out, const DeclaredFile *file, Span span)
{
    static const unsigned depths[] = {1000, 2, 1, 0};
    size_t start = out->length;

    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        Line line = {.out = out, .start = start, .braces_max = depths[i]};
        buf_truncate(out, start);
        put_line(&line, file, span);
        if (out->length - start <= SIGNATURE_BYTES_MAX || out->failed)
            return !line.abridged;
    }
    buf_truncate(
        out, start + utf8_floor(out->data + start, out->length - start, SIGNATURE_BYTES_MAX - 4));
    buf_append_string(out, " ...");
    return false;
}

/* ---- comments ---- */

static void put_indent(Buf *out, unsigned indent)
{
    while (indent-- > 0)
        buf_append_byte(out, ' ');
}

/* Without what ends it; and with it, the whole. */
static size_t line_length(const char *text, size_t length, size_t *out_whole)
{
    uint32_t code;

    for (size_t at = 0, bytes; at < length; at += bytes ? bytes : 1) {
        bytes = utf8_decode(text + at, length - at, &code);
        *out_whole = at + bytes;
        if (bytes > 0 && plain_ends_line(code))
            return at;
    }
    *out_whole = length;
    return length;
}

/* The lines of a block, each behind its own star. */
static void put_block(Buf *out, const char *text, size_t length, unsigned indent)
{
    size_t left = COMMENT_BYTES_MAX;

    while (length > 0 && left > 0) {
        size_t whole, line = line_length(text, length, &whole), skipped = 0, before;
        while (skipped < line && (is_blank(text[skipped])))
            skipped++;
        if (skipped < line && text[skipped] == '*')
            skipped++;
        before = out->length;
        buf_append_byte(out, '\n');
        put_indent(out, indent);
        buf_append_string(out, " * ");
        size_t begin = out->length;
        plain_line(out, text + skipped, line - skipped, left < 8 ? 8 : left);
        left -= out->length - begin < left ? out->length - begin : left;
        if (out->length == begin)
            buf_truncate(out, before);
        text += whole;
        length -= whole;
    }
    if (length > 0 && out->length > 4 && memcmp(out->data + out->length - 4, " ...", 4) != 0)
        buf_append_string(out, " ...");
}

void layout_comment(Buf *out, const char *text, size_t length, unsigned indent)
{
    size_t head = 2, tail = 2, whole;

    if (text[1] == '/') {
        buf_append_string(out, "// ");
        plain_line(out, text + 2, length - 2, COMMENT_BYTES_MAX);
        return;
    }
    head += length > 4 && text[2] == '*';
    if (length < head + tail || memcmp(text + length - 2, "*/", 2) != 0)
        tail = 0; /* it never ended */
    buf_append(out, "/**", head);
    text += head;
    length -= head + tail;
    if (line_length(text, length, &whole) == length && length <= 120) {
        buf_append_byte(out, ' ');
        plain_line(out, text, length, COMMENT_BYTES_MAX);
    } else {
        put_block(out, text, length, indent);
        buf_append_byte(out, '\n');
        put_indent(out, indent);
    }
    buf_append_string(out, " */");
}

/* ---- several lines ---- */

/* A string keeps its line ends, by what is written for them. */
static void put_string(Buf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code;
        size_t bytes = utf8_decode(text + i, length - i, &code);
        if (bytes > 0 && plain_ends_line(code)) {
            buf_append_string(out, "\\n");
            i += bytes;
        } else {
            i += plain_character(out, text + i, length - i);
        }
    }
}

/* Brackets, and which of them was the first that its line opened: only these indent. */
typedef struct Brackets {
    uint64_t first;
    unsigned depth;
    unsigned indents;
    bool opened; /* on this line */
} Brackets;

static void open_bracket(Brackets *brackets)
{
    if (brackets->depth < 64) {
        uint64_t bit = UINT64_C(1) << brackets->depth;
        brackets->first = brackets->opened ? brackets->first & ~bit : brackets->first | bit;
        brackets->indents += !brackets->opened;
    }
    brackets->opened = true;
    brackets->depth++;
}

static void close_bracket(Brackets *brackets)
{
    if (brackets->depth == 0)
        return;
    brackets->depth--;
    if (brackets->depth < 64)
        brackets->indents -= (unsigned)(brackets->first >> brackets->depth & 1);
}

/* Signs that close and begin a line together are indented as the last of them. */
static unsigned closing_indent(Brackets brackets, const char *text, size_t end, size_t at)
{
    for (; at < end && text[at] && strchr("})]", text[at]); at++)
        close_bracket(&brackets);
    return INDENT * brackets.indents;
}

static unsigned indent_of(const Brackets *brackets, bool goes_on)
{
    unsigned indents = brackets->indents < 20 ? brackets->indents : 20;

    return INDENT * (indents + (goes_on && brackets->depth == 0));
}

void layout_lines(Buf *out, const DeclaredFile *file, Span span, unsigned indent)
{
    const char *text = file->text;
    Brackets brackets = {0};
    bool line = true, blank = false;
    size_t next;

    for (size_t at = span.start; at < span.end && !out->failed; at = next) {
        char kind = layout_piece(text, span.end, at, &next), c = text[at];
        bool opens = kind == 0 && (c == '{' || c == '(' || c == '[');
        bool closes = kind == 0 && (c == '}' || c == ')' || c == ']');
        if (kind == ' ') {
            blank = true;
            line = line || memchr(text + at, '\n', next - at);
            continue;
        }
        if (line && at != span.start)
            buf_append_byte(out, '\n');
        if (line) {
            brackets.opened = false;
            put_indent(out, indent + (closes ? closing_indent(brackets, text, span.end, at)
                                             : indent_of(&brackets, at != span.start)));
        } else if (blank) {
            buf_append_byte(out, ' ');
        }
        line = blank = false;
        if (opens)
            open_bracket(&brackets);
        if (closes)
            close_bracket(&brackets);
        if (kind == '/') {
            layout_comment(out, text + at, next - at, indent + indent_of(&brackets, false));
            line = text[at + 1] == '/';
        } else if (kind == '"') {
            put_string(out, text + at, next - at);
        } else {
            next = at + plain_character(out, text + at, span.end - at);
        }
    }
}
