/*
 * Writing to stdout and stderr.
 *
 * What a program printed comes from a stranger: on a terminal, control characters in it are shown
 * and not obeyed, or a program could retitle the window, fill the clipboard or overwrite its own
 * error. Into a file or a pipe every byte goes as it is.
 */
#ifndef TENON_CLI_PRINT_H
#define TENON_CLI_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <tenon.h>

typedef struct Printer {
    FILE *stream;
    bool terminal;
    bool color;
    int error; /* errno of the first write that failed; 0 */
} Printer;

/* `color` is COLOR_AUTO, COLOR_ALWAYS or COLOR_NEVER. */
Printer printer_for(FILE *stream, int color);
/* stderr before any option is known. */
Printer printer_for_errors(void);

void printer_write(Printer *printer, const char *text, size_t length);
void printer_put(Printer *printer, const char *text);
/* Text in which the library has made a program's part harmless already; its colours are its own. */
void printer_safe(Printer *printer, const char *text, size_t length);
/* A line: ends in a newline, added unless the text brought one. */
void printer_line(Printer *printer, const char *text, size_t length);
/* A document as one line of JSON. */
tn_status printer_json(Printer *printer, const tn_writer *document);
/* SGR parameters, as "1;31"; "" for plain again. Nothing where colour is off. */
void printer_style(Printer *printer, const char *parameters);

/*
 * Flush. A reader that went away (EPIPE) is no fault. Returns errno of what else went wrong, or 0.
 */
int printer_finish(Printer *printer);

#endif
