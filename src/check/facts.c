#include "facts.h"

#include <string.h>

#include "base.h"

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
    bool list;    /* after the last quoted piece comes a list: ": a, b, c, and 3 more" */
} Reader;

typedef struct Piece {
    const char *start;
    size_t length;
    bool number;
} Piece;

/* One name of the list, up to a comma or the end. A last part of several words is no name. */
static bool next_of_list(Reader *reader, Piece *out_piece)
{
    const char *at = reader->at;

    while (at < reader->end && (*at == ' ' || *at == ','))
        at++;
    const char *comma = memchr(at, ',', (size_t)(reader->end - at));
    const char *stop = comma ? comma : reader->end;
    if (!comma && stop > at && stop[-1] == '.')
        stop--;
    reader->at = at;
    reader->list = stop > at && !memchr(at, ' ', (size_t)(stop - at));
    if (!reader->list)
        return false;
    *out_piece = (Piece){at, (size_t)(stop - at), false};
    reader->at = comma ? comma : reader->end;
    return true;
}

static bool next_piece(Reader *reader, Piece *out_piece)
{
    if (reader->list && next_of_list(reader, out_piece))
        return true;
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
                reader->list = reader->end - close > 3 && close[1] == ':' && close[2] == ' ' &&
                               close[3] != '\'';
                reader->at += reader->list;
                return true;
            }
        }
        if (is_digit(*at) && reader->between) {
            /* "2", and "1-3" */
            for (close = at; close < reader->end && (is_digit(*close) || *close == '-'); close++)
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

/* Names that stand without quotes: so many words before the quote of a quoted one. */
static const struct {
    unsigned code;
    unsigned before; /* which quoted piece */
    unsigned words;  /* how many words back */
} bare[] = {
    {2515, 1, 3},
};

static bool bare_piece(unsigned code, const char *text, const Piece *pieces, size_t count,
                       Piece *out_piece, size_t *out_place)
{
    size_t i = 0;

    while (i < COUNT_OF(bare) && bare[i].code != code)
        i++;
    if (i == COUNT_OF(bare) || bare[i].before >= count)
        return false;
    const char *at = pieces[bare[i].before].start - 1, *end = at;
    for (unsigned word = 0; word < bare[i].words && at > text; word++) {
        while (at > text && at[-1] == ' ')
            at--;
        end = at;
        while (at > text && at[-1] != ' ')
            at--;
    }
    *out_piece = (Piece){at, (size_t)(end - at), false};
    *out_place = bare[i].before;
    return at > text && end > at;
}

/* `import("/1f..e.d").Row` is `Row`: the paths are ours and mean nothing to anybody. */
static char *without_paths(Arena *arena, const char *text, size_t length)
{
    static const char mark[] = "import(\"/";
    char *copy = arena_text(arena, text, length);
    char *from = copy, *to = copy;

    while (from && *from) {
        char *close = strncmp(from, mark, sizeof mark - 1) == 0 ? strchr(from, ')') : NULL;
        if (close && close[1] == '.') {
            from = close + 2;
            continue;
        }
        *to++ = *from++;
    }
    if (to)
        *to = '\0';
    return copy;
}

const char **facts_of(Arena *arena, unsigned code, const char *text, size_t length,
                      size_t *out_count)
{
    Piece pieces[WORDS_MAX], piece;
    size_t count = 0, placed = 0, place;
    Reader reader = {.at = text, .end = text + length, .between = true};

    *out_count = 0;
    while (count < WORDS_MAX - 1 && next_piece(&reader, &piece))
        pieces[count++] = piece;
    if (bare_piece(code, text, pieces, count, &piece, &place)) {
        memmove(pieces + place + 1, pieces + place, (count - place) * sizeof piece);
        pieces[place] = piece;
        count++;
    }
    const char **words = count > 0 ? ARENA_ARRAY(arena, const char *, count) : NULL;
    if (!words)
        return NULL;
    for (int number = 0; number < 2; number++) {
        for (size_t i = 0; i < count; i++) {
            if (pieces[i].number == (number == 1))
                words[placed++] = without_paths(arena, pieces[i].start, pieces[i].length);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!words[i])
            return NULL;
    }
    *out_count = count;
    return words;
}
