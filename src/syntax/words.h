/* The words of the language, and which characters make names (words.c, unicode.c). */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "token.h"

/** The token of a word of the language, else TOKEN_NONE. */
Token word_token(const char *text, size_t length);

/** Unicode's ID_Start and ID_Continue, for code points beyond ASCII. */
bool unicode_starts_name(uint32_t code);
bool unicode_continues_name(uint32_t code);

#endif
