#include "near.h"

#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

unsigned near_most(size_t length)
{
    return length < 3 ? 0 : length < 6 ? 1 : length < 12 ? 2 : 3;
}

unsigned near_distance(const char *a, const char *b, unsigned most)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    unsigned rows[3][NEAR_BYTES_MAX + 1];
    unsigned *before = rows[0], *row = rows[1], *next = rows[2];

    if (a_length > NEAR_BYTES_MAX || b_length > NEAR_BYTES_MAX || a_length > b_length + most ||
        b_length > a_length + most)
        return most + 1;
    for (size_t j = 0; j <= b_length; j++)
        row[j] = before[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned best = next[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            next[j] = least(row[j - 1] + !same, least(row[j], next[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                next[j] = least(next[j], before[j - 2] + 1);
            best = least(best, next[j]);
        }
        if (best > most)
            return most + 1;
        unsigned *free_row = before;
        before = row;
        row = next;
        next = free_row;
    }
    return row[b_length] > most ? most + 1 : row[b_length];
}
