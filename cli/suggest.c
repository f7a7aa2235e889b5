/* Did you mean ...? By edit distance, with neighbours swapped counting as one slip. */
#include "suggest.h"

#include <string.h>

enum { WORD_MAX = 24 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours between a and b. */
static unsigned distance_between(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][WORD_MAX + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];

    if (a_length > WORD_MAX || b_length > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= b_length; j++)
        above[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        unsigned *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[b_length];
}

Suggestion suggestion_begin(const char *wrong, size_t length)
{
    /* One slip in three letters is a slip of the pen; more is another word. */
    return (Suggestion){
        .wrong = wrong, .wrong_length = length, .distance = 2 + (unsigned)length / 4};
}

void suggestion_offer(Suggestion *suggestion, const char *word)
{
    size_t length = strlen(word);
    unsigned distance = distance_between(suggestion->wrong, suggestion->wrong_length, word, length);

    /* A word cut short ("comp") means what it begins. */
    if (suggestion->wrong_length >= 3 && suggestion->wrong_length < length &&
        memcmp(word, suggestion->wrong, suggestion->wrong_length) == 0)
        distance = 1;
    if (distance < suggestion->distance && distance < length) {
        suggestion->best = word;
        suggestion->distance = distance;
    }
}
