#include <string.h>

#include "advice.h"

enum { LONGEST = 40 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Edit distance, with neighbours that are swapped as one edit; letters of another case count half
 * of what others do. In halves. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned row[LONGEST + 1], above[LONGEST + 1] = {0}, before[LONGEST + 1];

    for (size_t j = 0; j <= b_length; j++)
        row[j] = (unsigned)j * 2;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned diagonal = row[0];
        memcpy(before, above, sizeof before);
        memcpy(above, row, (b_length + 1) * sizeof *row);
        row[0] = (unsigned)i * 2;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
            unsigned next = least(diagonal + change, least(row[j], row[j - 1]) + 2);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next = least(next, before[j - 2] + 2);
            diagonal = row[j];
            row[j] = next;
        }
    }
    return row[b_length];
}

const char *spelling_nearest(const char *wrong, size_t length, const char *const *words,
                             size_t count)
{
    /* up to four letters in ten: more is another word */
    unsigned best = (unsigned)(length * 4 / 5) + 1;
    const char *nearest = NULL;

    if (length > LONGEST)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(words[i]);
        if (other > LONGEST || other + length / 2 + 2 < length || length + length / 2 + 2 < other)
            continue;
        unsigned far = distance(wrong, length, words[i], other);
        if (far < best) {
            best = far;
            nearest = words[i];
        }
    }
    return nearest;
}
