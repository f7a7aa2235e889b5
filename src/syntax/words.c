#include "words.h"

#include <string.h>

#include "word_places.inc"

/* clang-format off */
static const char texts[TOKEN_COUNT][16] = {
#define X(name, text) [TOKEN_##name] = text,
    TOKEN_SIGNS(X) TOKEN_WORDS(X)
#undef X
};
/* Every word has a place of its own (tools/syntax-tables.mjs found the factors). */
static const uint8_t places[256] = { WORD_PLACES };
/* clang-format on */

const char *token_text(Token token)
{
    return texts[token];
}

/* Four bytes of the two are the same. */
static bool same(const char *a, const char *b)
{
    uint32_t first, second;

    memcpy(&first, a, 4);
    memcpy(&second, b, 4);
    return first == second;
}

Token word_token(const char *text, size_t length)
{
    if (length < 2 || length > 12)
        return TOKEN_NONE;
    unsigned place = (unsigned)length * WORD_BY_LENGTH + (uint8_t)text[0] * WORD_BY_FIRST +
                     (uint8_t)text[1] * WORD_BY_SECOND + (uint8_t)text[length - 1];
    Token token = (Token)places[place & 255];
    const char *word = texts[token];
    if (word[0] != text[0] || word[1] != text[1] || word[length - 1] != text[length - 1] ||
        word[length] != '\0')
        return TOKEN_NONE;
    if (length > 3 && (!same(word, text) || !same(word + length - 4, text + length - 4) ||
                       (length > 8 && !same(word + 4, text + 4))))
        return TOKEN_NONE;
    return token;
}
