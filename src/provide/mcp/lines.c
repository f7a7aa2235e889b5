#include "lines.h"

#include <string.h>

void lines_init(Lines *lines, const tn_allocator *allocator, uint64_t keep_bytes)
{
    *lines = (Lines){.most = keep_bytes * 4};
    buf_init(&lines->held, allocator, (size_t)keep_bytes);
}

void lines_release(Lines *lines)
{
    buf_release(&lines->held);
}

/* ---- the id ---- */

static void find_in_string(IdFinder *finder, char c)
{
    if (finder->escaped) {
        finder->escaped = false;
    } else if (c == '\\') {
        finder->escaped = true;
    } else if (c == '"') {
        finder->in_string = false;
        return;
    }
    if (finder->key_length < sizeof finder->key)
        finder->key[finder->key_length] = c;
    finder->key_length++;
}

static void find_outside(IdFinder *finder, char c)
{
    bool top = finder->depth == 1;

    if (c == '"') {
        finder->in_string = true;
        finder->key_length = 0;
    } else if (c == '{' || c == '[') {
        finder->at_key = finder->depth++ == 0 && c == '{';
    } else if (c == '}' || c == ']') {
        finder->depth -= finder->depth > 0;
        finder->in_id = false;
    } else if (top && c == ',') {
        finder->at_key = true;
        finder->in_id = false;
    } else if (top && c == ':') {
        finder->in_id = finder->at_key && finder->key_length == 2 && finder->key[0] == 'i' &&
                        finder->key[1] == 'd';
        finder->at_key = false;
        if (finder->in_id)
            finder->id = 0;
    } else if (top && finder->in_id && c >= '0' && c <= '9' && finder->id < INT64_MAX / 16) {
        finder->id = finder->id * 10 + (c - '0');
    }
}

void id_finder_feed(IdFinder *finder, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (finder->in_string)
            find_in_string(finder, text[i]);
        else
            find_outside(finder, text[i]);
    }
}

/* ---- lines ---- */

/* More of a line that is not kept, or will not be from now on. */
static bool pass(Lines *lines, const char *text, size_t length)
{
    if (lines->passed == 0) {
        lines->finder = (IdFinder){0};
        id_finder_feed(&lines->finder, (const char *)lines->held.data, lines->held.length);
        lines->passed = lines->held.length;
        buf_release(&lines->held);
        buf_clear(&lines->held);
    }
    id_finder_feed(&lines->finder, text, length);
    lines->passed += length;
    return lines->passed <= lines->most;
}

/* More of a line without its end. */
static bool hold(Lines *lines, const char *text, size_t length)
{
    if (lines->passed == 0) {
        buf_append(&lines->held, text, length);
        if (!lines->held.failed)
            return true;
    }
    return pass(lines, text, length);
}

static bool end_line(Lines *lines, const LineSink *sink)
{
    bool more;

    if (lines->passed > 0) {
        more = sink->long_line(sink->context, lines->finder.id, lines->passed);
        lines->passed = 0;
        return more;
    }
    more = sink->line(sink->context, (const char *)lines->held.data, lines->held.length);
    /* one large answer does not keep its memory for the server's life */
    if (lines->held.capacity > 64 * 1024)
        buf_release(&lines->held);
    buf_clear(&lines->held);
    return more;
}

bool lines_feed(Lines *lines, const char *text, size_t length, const LineSink *sink)
{
    const char *end = text + length;

    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t part = (size_t)((newline ? newline : end) - text);
        bool whole =
            newline && lines->passed == 0 && lines->held.length == 0 && part <= lines->held.limit;
        if (whole) {
            if (!sink->line(sink->context, text, part))
                return false;
        } else {
            if (!hold(lines, text, part))
                return false;
            if (newline && !end_line(lines, sink))
                return false;
        }
        text += part + (newline != NULL);
    }
    return true;
}
