/* Text to words, as names and sentences are made of them. */
#ifndef SPLIT_H
#define SPLIT_H

#include "buf.h"

enum { WORD_BYTES_MAX = 48 };

typedef struct Split {
    const char *at, *end;
    const char *whole_end; /* of the name that is being taken apart */
    /* what was found, in lower case */
    char word[WORD_BYTES_MAX + 1];  /* "list" */
    char whole[WORD_BYTES_MAX + 1]; /* "listissues": of all in one name; empty if it is one word */
    bool first;                     /* the first word of its name */
} Split;

Split split_begin(const char *text, size_t length);

/** The next word: at camelCase, `_`, digits, and whatever is no letter. False at the end. Words
 * that are longer than WORD_BYTES_MAX are cut. */
bool split_next(Split *split);

/** All words, and each name of several words as a whole, with blanks between. */
void split_words(Buf *out, const char *text, size_t length);

#endif
