#include "words.h"

#include <string.h>

#include "word_places.inc"

/* clang-format off */
static const char *const texts[TOKEN_COUNT] = {
#define X(name, text) [TOKEN_##name] = text,
    TOKEN_SIGNS(X) TOKEN_WORDS(X)
#undef X
};
static const uint8_t lengths[TOKEN_COUNT] = {
#define X(name, text) [TOKEN_##name] = sizeof(text) - 1,
    TOKEN_WORDS(X)
#undef X
};
/* Every word has a place of its own (tools/syntax-tables.mjs found the factors). */
static const uint8_t places[256] = { WORD_PLACES };
/* clang-format on */

const char *token_text(Token token)
{
    return texts[token] ? texts[token] : "";
}

Token word_token(const char *text, size_t length)
{
    if (length < 2 || length > 12)
        return TOKEN_NONE;
    unsigned place = (unsigned)length * WORD_BY_LENGTH + (uint8_t)text[0] * WORD_BY_FIRST +
                     (uint8_t)text[1] * WORD_BY_SECOND + (uint8_t)text[length - 1];
    Token token = (Token)places[place & 255];
    if (lengths[token] != length || texts[token][0] != text[0] || texts[token][1] != text[1] ||
        memcmp(texts[token], text, length) != 0)
        return TOKEN_NONE;
    return token;
}
