/* How wide text is on a terminal. */
#ifndef WIDTH_H
#define WIDTH_H

#include "buf.h"

/** Cells that UTF-8 text takes: none for marks that stand on others, two for wide characters. */
size_t width_of(const char *text, size_t length);

/** As much of the text as fits into `cells`, with an ellipsis where it was cut; then blanks. */
void width_put(Buf *out, const char *text, size_t length, size_t cells);

#endif
