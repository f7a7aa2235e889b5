/* The lines around a place, with a caret. */
#include <string.h>

#include "buf.h"
#include "source.h"
#include "utf8.h"

enum { window_columns = 100, tab_columns = 4, lines_before = 2, lines_after = 1 };

/* Columns that a terminal gives a character. Near enough for a caret: the wide blocks of East Asian
 * scripts and pictures, and marks that stand on the letter before. */
static unsigned columns_of(uint32_t code)
{
    static const struct {
        uint32_t first, last;
        unsigned columns;
    } blocks[] = {{0x0300, 0x036F, 0},   {0x1100, 0x115F, 2},  {0x200B, 0x200D, 0},
                  {0x20D0, 0x20FF, 0},   {0x2E80, 0xA4CF, 2},  {0xAC00, 0xD7A3, 2},
                  {0xF900, 0xFAFF, 2},   {0xFE00, 0xFE0F, 0},  {0xFE30, 0xFE6F, 2},
                  {0xFF01, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},  {0x1F300, 0x1F64F, 2},
                  {0x1F900, 0x1F9FF, 2}, {0x20000, 0x3FFFD, 2}};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        if (code >= blocks[i].first && code <= blocks[i].last)
            return blocks[i].columns;
    }
    return 1;
}

/* What a terminal would obey, and what would show the line in another order than it runs. */
static bool is_command(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F ||
           code == 0x2028 || code == 0x2029;
}

typedef struct Cell {
    size_t bytes; /* of the text that it shows */
    unsigned columns;
    bool tab, hidden; /* shown as spaces, as a replacement */
} Cell;

static Cell cell_at(const char *at, size_t left, size_t column)
{
    uint32_t code;
    size_t bytes = utf8_decode(at, left, &code);

    if (bytes == 0)
        return (Cell){.bytes = 1, .columns = 1, .hidden = true};
    if (code == '\t')
        return (Cell){
            .bytes = 1, .columns = tab_columns - (unsigned)(column % tab_columns), .tab = true};
    if (is_command(code))
        return (Cell){.bytes = bytes, .columns = 1, .hidden = true};
    return (Cell){.bytes = bytes, .columns = columns_of(code)};
}

/* The column, from 0, at which the byte `offset` of a line is shown. */
static size_t column_of(const char *line, size_t length, size_t offset)
{
    size_t column = 0, at = 0;

    while (at < length && at < offset) {
        Cell cell = cell_at(line + at, length - at, column);
        column += cell.columns;
        at += cell.bytes;
    }
    return column;
}

/* The columns from `left` to `left + window_columns` of a line; what is cut is an ellipsis. */
static void put_line(Buf *out, const char *line, size_t length, size_t left)
{
    size_t column = 0, at = 0, right = left + window_columns;

    if (left > 0 && length > 0)
        buf_append_string(out, "\xE2\x80\xA6");
    while (at < length && column < right) {
        Cell cell = cell_at(line + at, length - at, column);
        bool shown = column >= left + (left > 0);
        if (shown && cell.tab)
            buf_append(out, "    ", cell.columns);
        else if (shown && cell.hidden)
            buf_append_string(out, "\xEF\xBF\xBD");
        else if (shown)
            buf_append(out, line + at, cell.bytes);
        column += cell.columns;
        at += cell.bytes;
    }
    if (at < length)
        buf_append_string(out, "\xE2\x80\xA6");
    while (out->length > 0 && out->data[out->length - 1] == ' ')
        out->length--;
}

static void put_spaces(Buf *out, size_t count)
{
    while (count-- > 0)
        buf_append_byte(out, ' ');
}

static size_t digits_of(unsigned number)
{
    size_t digits = 1;
    while (number /= 10)
        digits++;
    return digits;
}

static void put_gutter(Buf *out, unsigned line, size_t width, bool marked)
{
    buf_append_string(out, marked ? "> " : "  ");
    if (line == 0) {
        put_spaces(out, width);
    } else {
        put_spaces(out, width - digits_of(line));
        buf_append_uint(out, line);
    }
    buf_append_string(out, " |");
}

static void put_frame(Buf *out, const Source *source, Position start, size_t caret, size_t carets)
{
    unsigned first = start.line > lines_before ? start.line - lines_before : 1;
    unsigned last = start.line + lines_after;
    size_t left = caret + 20 < window_columns ? 0 : caret - window_columns / 2;

    if (last > source->line_count)
        last = (unsigned)source->line_count;
    size_t width = digits_of(last);
    for (unsigned line = first; line <= last; line++) {
        size_t length;
        const char *text = source_line(source, line, &length);
        put_gutter(out, line, width, line == start.line);
        if (length > 0)
            buf_append_byte(out, ' ');
        put_line(out, text, length, left);
        buf_append_byte(out, '\n');
        if (line != start.line)
            continue;
        put_gutter(out, 0, width, false);
        put_spaces(out, 1 + caret - left);
        for (size_t i = 0; i < carets; i++)
            buf_append_byte(out, '^');
        buf_append_byte(out, '\n');
    }
}

const char *source_frame(Arena *arena, const Source *source, Span span)
{
    Position start = source_position(source, span.start);
    size_t length, offset;
    const char *line = source_line(source, start.line, &length);
    Buf out;

    offset =
        (span.start < source->length ? span.start : source->length) - (size_t)(line - source->text);
    size_t caret = column_of(line, length, offset);
    /* A span over lines is marked to the end of its first; nothing is marked by less than one. */
    size_t end = span.end > span.start ? offset + (span.end - span.start) : offset;
    size_t carets = column_of(line, length, end < length ? end : length) - caret;
    if (offset > length || carets == 0)
        carets = 1;
    if (carets > window_columns / 2)
        carets = window_columns / 2;

    buf_init(&out, arena->allocator, SIZE_MAX);
    put_frame(&out, source, start, caret, carets);
    const char *text = NULL;
    if (out.failed)
        arena->failed = true;
    else
        text = arena_text(arena, (const char *)out.data, out.length);
    buf_release(&out);
    return text;
}
