/* The word that was probably meant. */
#ifndef TENON_CLI_SUGGEST_H
#define TENON_CLI_SUGGEST_H

#include <stddef.h>

typedef struct Suggestion {
    const char *best; /* the nearest word offered so far; NULL while none is near enough */
    const char *wrong;
    size_t wrong_length;
    unsigned distance;
} Suggestion;

Suggestion suggestion_begin(const char *wrong, size_t length);
void suggestion_offer(Suggestion *suggestion, const char *word);

#endif
