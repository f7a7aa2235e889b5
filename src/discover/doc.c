#include "doc.h"

#include <string.h>

#include "plain.h"

Span doc_find(const char *text, Span before)
{
    Span found = {0, 0};
    size_t next;

    for (size_t at = before.start; at < before.end; at = next) {
        char kind = layout_piece(text, before.end, at, &next);
        if (kind == '/' && next - at > 4 && memcmp(text + at, "/**", 3) == 0)
            found = (Span){(uint32_t)at, (uint32_t)next};
    }
    return found;
}

/* What marks a text as somebody else's, before and behind it. */
#define QUOTE     "\xe2\x80\x9c"
#define QUOTE_END "\xe2\x80\x9d"

/* One line of the comment without its star; false at its end. An empty one is a paragraph's end. */
static bool next_line(const char **at, const char *end, const char **out_line, size_t *out_length)
{
    const char *line = *at, *stop;

    if (line >= end)
        return false;
    stop = memchr(line, '\n', (size_t)(end - line));
    *at = stop ? stop + 1 : end;
    if (!stop)
        stop = end;
    while (line < stop && strchr(" \t\r*", *line) && *line)
        line++;
    *out_line = line;
    *out_length = (size_t)(stop - line);
    return true;
}

static const char *inside(const char *text, Span comment, const char **out_end)
{
    const char *end = text + comment.end;

    if (comment.end - comment.start >= 5 && memcmp(end - 2, "*/", 2) == 0)
        end -= 2;
    *out_end = end;
    return text + comment.start + 3;
}

/* Where a sentence ends: at a stop before a blank, unless a single letter or "e.g" is before it. */
static size_t sentence_length(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!strchr(".!?", text[i]) || !text[i] || (i + 1 < length && text[i + 1] != ' '))
            continue;
        bool short_word = i >= 2 && (text[i - 2] == '.' || text[i - 2] == ' ');
        if (text[i] == '.' && i + 1 < length && short_word)
            continue;
        if (i >= 3 && memcmp(text + i - 3, " vs", 3) == 0)
            continue;
        return i + 1;
    }
    return length;
}

/* Cut what stands in `out` from `start` on to the length of a sentence that is shown. */
static void shorten(Buf *out, size_t start)
{
    Buf whole;

    if (out->length - start <= SENTENCE_BYTES_MAX)
        return;
    buf_init(&whole, out->allocator, SIZE_MAX);
    buf_append(&whole, out->data + start, out->length - start);
    buf_truncate(out, start);
    if (buf_status(&whole) == TN_OK)
        plain_line(out, (const char *)whole.data, whole.length, SENTENCE_BYTES_MAX);
    out->failed = out->failed || whole.failed;
    buf_release(&whole);
}

void doc_sentence(Buf *out, const char *text, Span comment)
{
    size_t start = out->length, length;
    const char *end, *line, *at;

    if (comment.end <= comment.start)
        return;
    at = inside(text, comment, &end);
    while (next_line(&at, end, &line, &length) && out->length - start < 4 * SENTENCE_BYTES_MAX) {
        bool written = out->length > start;
        if (length > 0 && line[0] == '@')
            break;
        if (length == 0 && written)
            break;
        if (written)
            buf_append_byte(out, ' ');
        plain_line(out, line, length, 4 * SENTENCE_BYTES_MAX);
        if (written && out->length > start && out->data[out->length - 1] == ' ')
            break; /* nothing but blanks */
    }
    if (out->failed || out->length == start)
        return;
    bool quoted = out->length - start > 3 && memcmp(out->data + start, QUOTE, 3) == 0;
    const char *said = (const char *)out->data + start, *close;
    length = out->length - start;
    if (quoted && (close = memmem(said, length, QUOTE_END, 3)))
        length = (size_t)(close - said) + 3;
    length = sentence_length(said, length);
    buf_truncate(out, start + length);
    if (out->length > start && out->data[out->length - 1] == ' ')
        buf_truncate(out, out->length - 1);
    shorten(out, start);
    if (quoted && memcmp(out->data + out->length - 3, QUOTE_END, 3) != 0)
        buf_append_string(out, QUOTE_END);
}

/* Quotes, dashes and the like are no letters. */
static void blank_signs(uint8_t *text, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++) {
        if (text[i] == 0xE2 && text[i + 1] == 0x80)
            memset(text + i, ' ', 3);
    }
}

void doc_words(Buf *out, const char *text, Span comment)
{
    size_t length, start = out->length;
    const char *end, *line, *at;

    if (comment.end <= comment.start)
        return;
    at = inside(text, comment, &end);
    while (next_line(&at, end, &line, &length) && out->length - start < COMMENT_BYTES_MAX) {
        if (length > 0 && line[0] == '@') {
            while (length > 0 && line[0] != ' ') {
                line++;
                length--;
            }
        }
        plain_line(out, line, length, COMMENT_BYTES_MAX);
        buf_append_byte(out, ' ');
    }
    if (out->length > start)
        blank_signs(out->data + start, out->length - start);
}
