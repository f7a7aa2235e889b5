/* One line of the program with a caret under a column. */
#ifndef TENON_CLI_EXCERPT_H
#define TENON_CLI_EXCERPT_H

#include "print.h"

/* Nothing is printed for a place that the text has not, or a line too long to read. */
void excerpt_put(Printer *printer, const char *text, size_t length, unsigned line, unsigned column);

#endif
