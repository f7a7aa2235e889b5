#include "fence.h"

#include <string.h>

typedef struct Line {
    size_t start;
    size_t end; /* without the terminator */
    size_t next;
} Line;

typedef struct Fence {
    char mark; /* '`' or '~'; 0: the line is no fence */
    size_t width;
    size_t info; /* where the info string begins and ends */
    size_t info_end;
} Fence;

typedef struct Block {
    Line open;
    Line close;
    Fence fence;
    bool closed;
} Block;

static Line line_at(const char *text, size_t length, size_t at)
{
    Line line = {.start = at, .end = at};

    while (line.end < length && text[line.end] != '\n' && text[line.end] != '\r')
        line.end++;
    line.next = line.end;
    if (line.next < length && text[line.next] == '\r')
        line.next++;
    if (line.next < length && text[line.next] == '\n' && line.next - line.end < 2)
        line.next++;
    return line;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* fence = " "{0,3} ("`"{3,} | "~"{3,}) info          info has no "`" if the fence has them */
static Fence fence_of(const char *text, Line line)
{
    Fence fence = {0};
    size_t at = line.start;

    while (at < line.end && at - line.start < 3 && text[at] == ' ')
        at++;
    if (at == line.end || (text[at] != '`' && text[at] != '~'))
        return fence;
    char mark = text[at];
    size_t begin = at;
    while (at < line.end && text[at] == mark)
        at++;
    if (at - begin < 3)
        return fence;
    size_t width = at - begin;
    while (at < line.end && is_space(text[at]))
        at++;
    size_t end = line.end;
    while (end > at && is_space(text[end - 1]))
        end--;
    if (mark == '`' && memchr(text + at, '`', end - at))
        return fence;
    return (Fence){.mark = mark, .width = width, .info = at, .info_end = end};
}

/* The first block from `at` on. It ends at the first fence of its mark that is as wide as its own
 * and has no info. */
static bool find_block(const char *text, size_t length, size_t at, Block *out_block)
{
    Block block = {0};

    while (at < length) {
        Line line = line_at(text, length, at);
        Fence fence = fence_of(text, line);
        at = line.next;
        if (!fence.mark)
            continue;
        if (!block.fence.mark) {
            block.open = line;
            block.fence = fence;
        } else if (fence.mark == block.fence.mark && fence.width >= block.fence.width &&
                   fence.info == fence.info_end) {
            block.close = line;
            block.closed = true;
            break;
        }
    }
    *out_block = block;
    return block.fence.mark != 0;
}

static bool is_blank(const char *text, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++) {
        if (!is_space(text[i]) && text[i] != '\n' && text[i] != '\r')
            return false;
    }
    return true;
}

/* A line that no one would write between paragraphs. It need not be sure: text that is taken for
 * code is left alone, and then does not parse; text that is taken for prose is thrown away. */
static bool looks_like_code(const char *line, size_t length)
{
    static const char *const words[] = {"const ",  "let ",    "var ",   "function ", "return ",
                                        "import ", "export ", "await ", "class ",    "if (",
                                        "for (",   "while (", "//",     "});",       "console."};

    while (length > 0 && is_space(*line)) {
        line++;
        length--;
    }
    while (length > 0 && is_space(line[length - 1]))
        length--;
    if (length == 0)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t word = strlen(words[i]);
        if (length >= word && memcmp(line, words[i], word) == 0)
            return true;
    }
    return strchr(";{}()[]=", line[length - 1]) != NULL || memmem(line, length, "/*", 2) ||
           memmem(line, length, "*/", 2) || memmem(line, length, "=>", 2);
}

static bool is_prose(const char *text, size_t start, size_t end)
{
    while (start < end) {
        Line line = line_at(text, end, start);
        if (looks_like_code(text + line.start, line.end - line.start))
            return false;
        start = line.next;
    }
    return true;
}

static void blank(char *text, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++) {
        if (text[i] != '\n' && text[i] != '\r')
            text[i] = ' ';
    }
}

/* The info string's first word: "js", "ts title=x" -> "ts". */
static const char *language_of(Arena *arena, const char *text, Fence fence)
{
    size_t end = fence.info;

    while (end < fence.info_end && !is_space(text[end]) && text[end] != ',' && text[end] != '{')
        end++;
    char *language = arena_text(arena, text + fence.info, end - fence.info);
    for (char *at = language; at && *at; at++) {
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    }
    return language;
}

/* Most programs have no fence: is there a mark three times in a row at all? */
static bool has_three(const char *text, size_t length, char mark)
{
    const char *end = text + length;

    for (const char *c = text; (c = memchr(c, mark, (size_t)(end - c))); c++) {
        if (end - c >= 3 && c[1] == mark && c[2] == mark)
            return true;
    }
    return false;
}

/*
 * Two shapes are taken off. The whole text is one block (its end may be missing: models stop
 * early, and no program begins with three backticks); or one block stands in prose. Of several
 * blocks none is chosen, and code around a fence means that the fence is part of it, in a comment
 * or a string.
 */
bool fence_remove(Arena *arena, char *text, Source *source)
{
    size_t length = source->length;
    Block block, other;

    if (!has_three(text, length, '`') && !has_three(text, length, '~'))
        return true;
    if (!find_block(text, length, 0, &block))
        return true;
    source->fences = 1;
    bool first = is_blank(text, 0, block.open.start);
    if (!block.closed) {
        if (!first || block.fence.mark != '`')
            return true;
        block.close = (Line){length, length, length};
    }
    for (size_t at = block.close.next; find_block(text, length, at, &other);) {
        bool beside = source->fences++ == 1 && is_prose(text, 0, block.open.start) &&
                      is_prose(text, block.close.next, other.open.start);
        if (beside)
            source->second_fence = (uint32_t)other.open.start;
        at = other.closed ? other.close.next : length;
    }
    if (source->fences > 1 || !is_prose(text, 0, block.open.start) ||
        !is_prose(text, block.close.next, length))
        return true;
    source->language = language_of(arena, text, block.fence);
    source->unfenced = true;
    blank(text, 0, block.open.end);
    blank(text, block.close.start, length);
    return source->language != NULL;
}
