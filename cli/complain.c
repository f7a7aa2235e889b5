/* Complaints: what, where, and how to mend it. */
#include "complain.h"

#include "print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `remedy` is a sentence, perhaps with one %s for `word`; the table of callers is in this folder.
 */
static void say(const char *remedy, const char *word, const char *format, va_list arguments)
{
    Printer errors = printer_for_errors();
    const char *gap = strstr(remedy, "%s");
    char *problem = NULL;

    printer_put(&errors, "tenon: ");
    if (vasprintf(&problem, format, arguments) >= 0) {
        printer_put(&errors, problem);
        free(problem);
    }
    printer_put(&errors, "\n  ");
    if (gap != NULL) {
        printer_write(&errors, remedy, (size_t)(gap - remedy));
        printer_put(&errors, word);
        remedy = gap + 2;
    }
    printer_put(&errors, remedy);
    printer_put(&errors, "\n");
    printer_finish(&errors);
}

int complain(const char *remedy, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(remedy, "", format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

int complain_about(const char *remedy, const char *word, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(remedy, word, format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

int library_failed(tn_status status, const char *doing)
{
    switch (status) {
    case TN_ERR_ARGUMENT:
        return complain("Look at the options again: `tenon run --help` explains each.",
                        "cannot %s: %s", doing, tn_status_text(status));
    case TN_ERR_LIMIT:
        complain("Raise the limit that it meets: `tenon run --help` lists them.", "cannot %s: %s",
                 doing, tn_status_text(status));
        return EXIT_LIMIT;
    case TN_ERR_NOMEM:
        complain("Free memory, or lift the limit on it (ulimit -v); `tenon doctor` tries what is "
                 "needed.",
                 "cannot %s: %s", doing, tn_status_text(status));
        return EXIT_UNAVAILABLE;
    default:
        complain("`tenon doctor` says what this machine lacks.", "cannot %s: %s", doing,
                 tn_status_text(status));
        return EXIT_UNAVAILABLE;
    }
}
