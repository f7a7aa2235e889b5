/* What a doc comment says. */
#ifndef DOC_H
#define DOC_H

#include "layout.h"

enum { SENTENCE_BYTES_MAX = 160 };

/** The last doc comment in what stands before a declaration; empty without one. */
Span doc_find(const char *text, Span before);

/** Its first sentence, on one line, at most SENTENCE_BYTES_MAX. */
void doc_sentence(Buf *out, const char *text, Span comment);

/** All its words, without its signs: COMMENT_BYTES_MAX at most. */
void doc_words(Buf *out, const char *text, Span comment);

#endif
