/*
 * Text that leaves the library: tn_text_free() knows only the text, so what is needed to free it
 * stands hidden in front of it. Written into a Buf between text_begin and text_finish.
 */
#ifndef TEXT_H
#define TEXT_H

#include "buf.h"

/** Start a text of at most `limit_bytes`. */
void text_begin(Buf *buf, const tn_allocator *allocator, size_t limit_bytes);

/** What was written so far. */
size_t text_length(const Buf *buf);

/** End it with a NUL and move it out; the Buf is released either way, outputs set on TN_OK only. */
tn_status text_finish(Buf *buf, char **out_text, size_t *out_length);

#endif
