/* Where a finding is. Errors of a run bring their own excerpt; findings only say line and column.
 */
#include "excerpt.h"

#include <string.h>

enum { LINE_BYTES_MAX = 160 };

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

/* Columns count UTF-16 units: a character of four bytes in UTF-8 is two of them. */
static unsigned units_of(unsigned char first_byte)
{
    if ((first_byte & 0xC0) == 0x80)
        return 0;
    return first_byte >= 0xF0 ? 2 : 1;
}

void excerpt_put(Printer *printer, const char *text, size_t length, unsigned line, unsigned column)
{
    char gutter[24];
    size_t line_length = 0;
    const char *start = line > 0 ? find_line(text, length, line, &line_length) : NULL;

    if (start == NULL || column == 0 || line_length == 0 || line_length > LINE_BYTES_MAX)
        return;
    int width = snprintf(gutter, sizeof gutter, "> %u | ", line);
    printer_put(printer, gutter);
    printer_line(printer, start, line_length);
    snprintf(gutter, sizeof gutter, "%*s| ", width - 2, "");
    printer_put(printer, gutter);

    /* The same tabs, so that the caret stands where the terminal puts the character. */
    unsigned left = column - 1;
    for (size_t i = 0; i < line_length && left > 0; i++) {
        unsigned units = units_of((unsigned char)start[i]);
        if (units > 0)
            printer_put(printer, start[i] == '\t' ? "\t" : " ");
        left -= units < left ? units : left;
    }
    printer_put(printer, "^\n");
}
