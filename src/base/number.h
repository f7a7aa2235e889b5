/* Numbers as JavaScript writes and reads them, whatever the host's locale. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_TEXT_MAX = 32 };

/** Number::toString of ECMA-262, "-0" apart: shortest digits that read back the same. */
size_t number_text(double number, char out_text[NUMBER_TEXT_MAX]);

/** A JSON number, already known to be one; too large ones are infinite, as in JSON.parse. */
double number_parse(const char *text, size_t length);

#endif
