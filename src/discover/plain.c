#include "plain.h"

#include "utf8.h"

bool plain_ends_line(uint32_t code)
{
    return code == '\n' || code == '\r' || code == 0x0B || code == 0x0C || code == 0x85 ||
           code == 0x2028 || code == 0x2029;
}

/* Moves the text, or has no width: what is written with it is not what is read. */
static bool is_hidden(uint32_t code)
{
    return (code < 0x20 && code != '\t') || (code >= 0x7F && code < 0xA0) || code == 0xAD ||
           code == 0x61C || code == 0x180E || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
           code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) ||
           (code >= 0xE0000 && code <= 0xE0FFF);
}

size_t plain_character(Buf *out, const char *text, size_t length)
{
    uint32_t code;
    size_t bytes = utf8_decode(text, length, &code);

    if (bytes == 0) {
        buf_append_string(out, "\xef\xbf\xbd");
        return 1;
    }
    if (plain_ends_line(code) || code == '\t')
        buf_append_byte(out, ' ');
    else if (!is_hidden(code))
        buf_append(out, text, bytes);
    return bytes;
}

/* Back to the end of a word, if one ends in the last third. */
static void cut(Buf *out, size_t start, size_t limit)
{
    size_t at = start + utf8_floor(out->data + start, out->length - start, limit - 4);
    size_t blank = at;

    while (blank > start + limit * 2 / 3 && out->data[blank - 1] != ' ')
        blank--;
    if (blank > start + limit * 2 / 3)
        at = blank - 1;
    buf_truncate(out, at);
    buf_append_string(out, " ...");
}

void plain_line(Buf *out, const char *text, size_t length, size_t limit)
{
    size_t start = out->length;

    for (size_t i = 0; i < length && out->length - start <= limit && !out->failed;) {
        size_t before = out->length;
        i += plain_character(out, text + i, length - i);
        bool blank = out->length == before + 1 && out->data[before] == ' ';
        if (blank && (before == start || out->data[before - 1] == ' '))
            buf_truncate(out, before);
    }
    if (out->length - start > limit)
        cut(out, start, limit);
    else if (out->length > start && out->data[out->length - 1] == ' ')
        buf_truncate(out, out->length - 1);
}
