/* Text from outside, made fit to be shown: what a reader cannot see does not come through. */
#ifndef PLAIN_H
#define PLAIN_H

#include "buf.h"

/** Does it end a line, wherever it is shown? */
bool plain_ends_line(uint32_t code);

/** Without control characters, marks of direction, tags and the like; each line's end and each run
 * of blanks becomes one blank. At most `limit` bytes, cut between words where that is near, with
 * " ..." behind it. Nothing at all gives nothing. */
void plain_line(Buf *out, const char *text, size_t length, size_t limit);

/** One character of text as it is, or what stands for it; returns the bytes it took. A line's end
 * gives a blank. */
size_t plain_character(Buf *out, const char *text, size_t length);

#endif
