#include "words.h"

#include <string.h>

enum { WORDS_MAX = 12 };

/* What may follow a closing quote; a quote inside a name or type is followed by something else. */
static bool may_follow(const char *at, const char *end)
{
    return at >= end || strchr(" .,?:;)!\n", *at) != NULL;
}

/* Past a string in a type: "it's", with escapes. NULL if it does not end. */
static const char *skip_string(const char *at, const char *end)
{
    char quote = *at++;

    for (; at < end; at++) {
        if (*at == '\\')
            at++;
        else if (*at == quote)
            return at + 1;
    }
    return NULL;
}

/* The quote that closes what begins at `at`: at no bracket's inside, not in a string. With
 * `careless` the first one that may be one. NULL if there is none. */
static const char *closing_quote(const char *at, const char *end, bool careless)
{
    int depth = 0;

    while (at < end) {
        if (*at == '\'' && (depth <= 0 || careless) && may_follow(at + 1, end))
            return at;
        if ((*at == '"' || *at == '`') && !careless) {
            const char *after = skip_string(at, end);
            if (!after)
                return NULL;
            at = after;
            continue;
        }
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= *at == ')' || *at == ']' || *at == '}';
        at++;
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

typedef struct Reader {
    const char *at;
    const char *end;
    bool between; /* the byte before is no part of a word */
} Reader;

typedef struct Piece {
    const char *start;
    size_t length;
    bool number;
} Piece;

static bool next_piece(Reader *reader, Piece *out_piece)
{
    for (; reader->at < reader->end; reader->at++) {
        const char *at = reader->at, *close;
        if (*at == '\'' && reader->between) {
            close = closing_quote(at + 1, reader->end, false);
            if (!close)
                close = closing_quote(at + 1, reader->end, true);
            if (close) {
                *out_piece = (Piece){at + 1, (size_t)(close - at - 1), false};
                reader->at = close + 1;
                reader->between = false;
                return true;
            }
        }
        if (is_digit(*at) && reader->between) {
            for (close = at; close < reader->end && is_digit(*close); close++)
                continue;
            *out_piece = (Piece){at, (size_t)(close - at), true};
            reader->at = close;
            reader->between = false;
            return true;
        }
        reader->between = strchr(" (\n[", *at) != NULL;
    }
    return false;
}

const char **words_of(Arena *arena, const char *text, size_t length, size_t *out_count)
{
    Piece pieces[WORDS_MAX], piece;
    size_t count = 0, placed = 0;
    Reader reader = {text, text + length, true};

    *out_count = 0;
    while (count < WORDS_MAX && next_piece(&reader, &piece))
        pieces[count++] = piece;
    const char **words = count > 0 ? ARENA_ARRAY(arena, const char *, count) : NULL;
    if (!words)
        return NULL;
    for (int number = 0; number < 2; number++) {
        for (size_t i = 0; i < count; i++) {
            if (pieces[i].number == (number == 1))
                words[placed++] = arena_text(arena, pieces[i].start, pieces[i].length);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!words[i])
            return NULL;
    }
    *out_count = count;
    return words;
}
