/* Text that a program made, made harmless where it is shown. */
#ifndef SAFE_H
#define SAFE_H

#include "buf.h"

/**
 * For a terminal: what it would obey (controls but line ends and tabs, and what turns the
 * direction of text) is shown as \x1b or \u{202e}; what is not UTF-8 as U+FFFD.
 */
void safe_put(Buf *out, const char *text, size_t length);
void safe_put_string(Buf *out, const char *string);

/** For a model: terminal sequences, colours among them, are left out; the rest as above. */
void safe_put_plain(Buf *out, const char *text, size_t length);

#endif
