/* Streams that keep a stranger's control characters from the terminal. */
#include "print.h"

#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

static bool wants_color(bool terminal, int color)
{
    const char *forced = getenv("FORCE_COLOR");
    const char *kind = getenv("TERM");

    if (color != COLOR_AUTO)
        return color == COLOR_ALWAYS;
    if (is_set("NO_COLOR"))
        return false;
    if (forced != NULL && *forced != '\0')
        return strcmp(forced, "0") != 0 && strcmp(forced, "false") != 0;
    return terminal && kind != NULL && strcmp(kind, "dumb") != 0;
}

Printer printer_for(FILE *stream, int color)
{
    bool terminal = isatty(fileno(stream)) == 1;
    return (Printer){.stream = stream, .terminal = terminal, .color = wants_color(terminal, color)};
}

Printer printer_for_errors(void)
{
    return printer_for(stderr, COLOR_AUTO);
}

static void put_bytes(Printer *printer, const char *bytes, size_t length)
{
    if (length == 0 || printer->error != 0)
        return;
    errno = 0;
    if (fwrite(bytes, 1, length, printer->stream) != length)
        printer->error = errno != 0 ? errno : EIO;
}

/* Length of a control character at `text` that a terminal may obey, and its code; 0: none. */
static size_t control_at(const char *text, size_t length, unsigned *out_code)
{
    unsigned first = (unsigned char)text[0];

    if (first == 0xC2 && length > 1 && ((unsigned char)text[1] & 0xE0) == 0x80) {
        *out_code = (unsigned char)text[1]; /* U+0080 to U+009F: the 8-bit twins of ESC x */
        return 2;
    }
    if ((first >= 0x20 && first != 0x7F) || first == '\n' || first == '\t')
        return 0;
    if (first == '\r' && length > 1 && text[1] == '\n')
        return 0;
    *out_code = first;
    return 1;
}

void printer_write(Printer *printer, const char *text, size_t length)
{
    size_t plain = 0; /* where the stretch begins that is not written yet */
    size_t i = 0;

    while (printer->terminal && i < length) {
        unsigned code = 0;
        size_t control = control_at(text + i, length - i, &code);
        if (control == 0) {
            i++;
            continue;
        }
        char shown[8];
        int shown_length = snprintf(shown, sizeof shown, "\\x%02x", code);
        put_bytes(printer, text + plain, i - plain);
        put_bytes(printer, shown, (size_t)shown_length);
        i += control;
        plain = i;
    }
    put_bytes(printer, text + plain, length - plain);
}

void printer_safe(Printer *printer, const char *text, size_t length)
{
    put_bytes(printer, text, length);
}

void printer_put(Printer *printer, const char *text)
{
    printer_write(printer, text, strlen(text));
}

void printer_line(Printer *printer, const char *text, size_t length)
{
    printer_write(printer, text, length);
    if (length == 0 || text[length - 1] != '\n')
        put_bytes(printer, "\n", 1);
}

tn_status printer_json(Printer *printer, const tn_writer *document)
{
    char *text = NULL;
    size_t length = 0;
    tn_status status = tn_value_json(tn_writer_value(document), &text, &length);

    if (status == TN_OK)
        printer_line(printer, text, length);
    tn_text_free(text);
    return status;
}

void printer_style(Printer *printer, const char *parameters)
{
    if (!printer->color)
        return;
    put_bytes(printer, "\033[", 2);
    put_bytes(printer, parameters, strlen(parameters));
    put_bytes(printer, "m", 1);
}

int printer_finish(Printer *printer)
{
    errno = 0;
    if (printer->error == 0 && fflush(printer->stream) != 0)
        printer->error = errno != 0 ? errno : EIO;
    return printer->error == EPIPE ? 0 : printer->error;
}
