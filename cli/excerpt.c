/* Where a finding is. Errors of a run bring their own excerpt; findings only say line and column.
 */
#include "excerpt.h"

#include <stdint.h>
#include <string.h>

/* Columns of a line that are shown; a longer one is cut to a window around the place. */
enum { WINDOW_COLUMNS = 100, CELL_BYTES_MAX = 8 };

/* The line-th line of the text, from 1; NULL if there are not so many. */
static const char *find_line(const char *text, size_t length, unsigned line, size_t *out_length)
{
    const char *end = text + length;

    for (unsigned at = 1; at < line; at++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL)
            return NULL;
        text = newline + 1;
    }
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    *out_length = (size_t)((newline != NULL ? newline : end) - text);
    if (*out_length > 0 && text[*out_length - 1] == '\r')
        *out_length -= 1;
    return text;
}

/* One character as it is shown. What a terminal would obey, and what is no text, is written out, in
 * a pipe too: the reader may be a terminal in the end. */
typedef struct Cell {
    char text[CELL_BYTES_MAX];
    size_t columns;
    size_t bytes; /* of the line */
    unsigned units;
} Cell;

/* The length of a character of UTF-8; 0 for what is none. */
static size_t character_at(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    size_t bytes = first < 0x80                     ? 1
                   : first >= 0xC2 && first < 0xE0  ? 2
                   : first >= 0xE0 && first < 0xF0  ? 3
                   : first >= 0xF0 && first <= 0xF4 ? 4
                                                    : 0;

    for (size_t i = 1; i < bytes; i++) {
        if (i >= length || ((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
    }
    return bytes;
}

static Cell cell_at(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0], second = length > 1 ? (unsigned char)text[1] : 0;
    size_t bytes = character_at(text, length);
    bool control = first < 0x20 || first == 0x7F || (first == 0xC2 && second < 0xA0);
    Cell cell = {.columns = 1, .bytes = bytes > 0 ? bytes : 1, .units = bytes == 4 ? 2 : 1};

    if (bytes > 0 && (!control || first == '\t')) {
        memcpy(cell.text, text, bytes);
        return cell;
    }
    cell.columns =
        (size_t)snprintf(cell.text, sizeof cell.text, "\\x%02x", bytes == 2 ? second : first);
    return cell;
}

/* How many columns stand before a column of the program. */
static size_t columns_before(const char *line, size_t length, unsigned column)
{
    size_t columns = 0;
    unsigned left = column - 1;

    for (size_t i = 0; i < length && left > 0;) {
        Cell cell = cell_at(line + i, length - i);
        columns += cell.columns;
        left -= cell.units < left ? cell.units : left;
        i += cell.bytes;
    }
    return columns;
}

/* The columns from `from` to `to`; with `blank` only the way to a caret, with the same tabs, so
 * that it stands where the terminal puts the character. */
static void put_columns(Printer *printer, const char *line, size_t length, size_t from, size_t to,
                        bool blank)
{
    size_t column = 0;

    for (size_t i = 0; i < length && column < to;) {
        Cell cell = cell_at(line + i, length - i);
        for (size_t c = 0; blank && column >= from && c < cell.columns; c++)
            printer_put(printer, cell.text[0] == '\t' ? "\t" : " ");
        if (!blank && column >= from)
            printer_put(printer, cell.text);
        column += cell.columns;
        i += cell.bytes;
    }
}

void excerpt_put(Printer *printer, const char *text, size_t length, unsigned line, unsigned column)
{
    static const char ellipsis[] = "...";
    char gutter[24];
    size_t line_length = 0;
    const char *start = line > 0 ? find_line(text, length, line, &line_length) : NULL;

    if (start == NULL || column == 0 || line_length == 0)
        return;
    size_t caret = columns_before(start, line_length, column);
    size_t all = columns_before(start, line_length, UINT32_MAX);
    size_t from =
        all > WINDOW_COLUMNS && caret > WINDOW_COLUMNS / 2 ? caret - WINDOW_COLUMNS / 2 : 0;
    size_t to = all - from > WINDOW_COLUMNS ? from + WINDOW_COLUMNS : all;

    int width = snprintf(gutter, sizeof gutter, "> %u | ", line);
    printer_put(printer, gutter);
    printer_put(printer, from > 0 ? ellipsis : "");
    put_columns(printer, start, line_length, from, to, false);
    printer_put(printer, to < all ? ellipsis : "");
    snprintf(gutter, sizeof gutter, "\n%*s| ", width - 2, "");
    printer_put(printer, gutter);
    printer_put(printer, from > 0 ? "   " : "");
    put_columns(printer, start, line_length, from, caret, true);
    printer_put(printer, "^\n");
}
