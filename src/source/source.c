#include "source.h"

#include <string.h>

#include "fence.h"
#include "utf8.h"

enum { source_bytes_most = 1 << 30 };

/* A line ends at "\n", "\r\n", or a "\r" alone. */
static bool ends_line(const char *text, size_t length, size_t at)
{
    return text[at] == '\n' || (text[at] == '\r' && (at + 1 == length || text[at + 1] != '\n'));
}

/* All lines end in "\n": memchr finds those fastest. */
static bool index_plain_lines(Arena *arena, Source *source)
{
    const char *c = source->text, *end = c + source->length;
    size_t count = 1, room = source->length / 16 + 8;
    uint32_t *lines = ARENA_ARRAY(arena, uint32_t, room);

    while (lines && (c = memchr(c, '\n', (size_t)(end - c)))) {
        if (count == room) {
            lines = arena_grow(arena, lines, room * sizeof *lines, 2 * room * sizeof *lines);
            room *= 2;
        }
        c++;
        if (lines)
            lines[count++] = (uint32_t)(c - source->text);
    }
    source->lines = lines;
    source->line_count = count;
    return lines != NULL;
}

static bool index_lines(Arena *arena, Source *source)
{
    size_t count = 1;

    if (!memchr(source->text, '\r', source->length))
        return index_plain_lines(arena, source);
    for (size_t i = 0; i < source->length; i++)
        count += ends_line(source->text, source->length, i);
    uint32_t *lines = ARENA_ARRAY(arena, uint32_t, count);
    if (!lines)
        return false;
    size_t line = 1;
    for (size_t i = 0; i < source->length; i++) {
        if (ends_line(source->text, source->length, i))
            lines[line++] = (uint32_t)(i + 1);
    }
    source->lines = lines;
    source->line_count = count;
    return true;
}

tn_status source_load(Arena *arena, const char *name, const char *text, size_t length,
                      Source **out_source)
{
    if (length > source_bytes_most)
        return TN_ERR_LIMIT;
    Source *source = ARENA_NEW(arena, Source);
    /* a byte order mark is no part of the text */
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    char *copy = arena_text(arena, text, length);
    char *name_copy = arena_string(arena, name);
    if (!source || !copy || !name_copy)
        return arena_status(arena);

    *source = (Source){.name = name_copy, .text = copy, .length = length, .language = ""};
    source->is_utf8 = utf8_valid(copy, length);
    if (!fence_remove(arena, copy, source) || !index_lines(arena, source))
        return arena_status(arena);
    *out_source = source;
    return TN_OK;
}

uint32_t source_no_text_at(const Source *source)
{
    size_t at = 0, bytes = 1;
    uint32_t code;

    while (at < source->length && bytes > 0) {
        bytes = utf8_decode(source->text + at, source->length - at, &code);
        at += bytes;
    }
    return (uint32_t)at;
}

static unsigned count_characters(const char *text, size_t length)
{
    unsigned count = 0;

    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

Position source_position(const Source *source, uint32_t offset)
{
    size_t low = 0, high = source->line_count;

    if (offset > source->length)
        offset = (uint32_t)source->length;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    size_t start = source->lines[low];
    return (Position){.line = (unsigned)low + 1,
                      .column = (unsigned)utf8_units(source->text + start, offset - start) + 1,
                      .character = count_characters(source->text + start, offset - start) + 1};
}

const char *source_line(const Source *source, unsigned line, size_t *out_length)
{
    *out_length = 0;
    if (line == 0 || line > source->line_count)
        return "";
    size_t start = source->lines[line - 1];
    size_t end = line < source->line_count ? source->lines[line] : source->length;
    while (end > start && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
        end--;
    *out_length = end - start;
    return source->text + start;
}

uint32_t source_offset(const Source *source, Position position)
{
    size_t length;

    if (position.line > source->line_count)
        return (uint32_t)source->length;
    const char *line = source_line(source, position.line, &length);
    if (position.line == 0)
        return 0;
    size_t units = position.column > 0 ? position.column - 1 : 0;
    return (uint32_t)((size_t)(line - source->text) + utf8_offset_of_unit(line, length, units));
}
