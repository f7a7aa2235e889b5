/* `tenon trace`: the calls of a run on a line of time, or as a document. */
#include "trace.h"

#include "complain.h"
#include "journal.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* How wide the terminal is; 0: there is none. */
static unsigned columns_of(const Printer *out)
{
    struct winsize size = {0};

    return out->terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int check_operands(const Settings *settings)
{
    if (settings->json && settings->chrome)
        return complain("Each says what stdout holds: choose one.",
                        "--json and --chrome exclude each other");
    if (settings->list && settings->chrome)
        return complain("tenon trace RUN --chrome", "--chrome is about one run");
    if (settings->list && settings->operand_count > 0)
        return complain("Leave out the one or the other.",
                        "--list is about all runs, \"%s\" is one", settings->operands[0]);
    if (settings->operand_count > 1)
        return complain("tenon trace RUN; tenon trace --list shows them.",
                        "more than one run: \"%s\" and \"%s\"", settings->operands[0],
                        settings->operands[1]);
    return 0;
}

static int put(Printer *out, const char *text, size_t length)
{
    int failure;

    printer_safe(out, text, length);
    if (length > 0 && text[length - 1] != '\n')
        printer_put(out, "\n");
    failure = printer_finish(out);
    return failure == 0 ? EXIT_OK
                        : complain("Make room and run it again.",
                                   "cannot write to standard output: %s", strerror(failure));
}

int trace_command(const Settings *settings)
{
    Printer out = printer_for(stdout, settings->color);
    tn_trace_form form = settings->json     ? TN_TRACE_JSON
                         : settings->chrome ? TN_TRACE_CHROME
                         : out.color        ? TN_TRACE_COLOR
                                            : TN_TRACE_TEXT;
    tn_journal *journal = NULL;
    char *text = NULL, *fault = NULL;
    size_t length = 0;
    tn_status status;
    int wrong = check_operands(settings);

    if (wrong != 0 || (wrong = journal_look(settings, &journal)) != 0)
        return wrong;
    if (settings->list)
        status = tn_journal_list(journal, 0, form, &text, &length, &fault);
    else
        status = tn_journal_trace(journal, settings->operands[0], form, columns_of(&out), &text,
                                  &length, &fault);
    tn_journal_free(journal);
    if (status == TN_OK)
        wrong = put(&out, text, length);
    else if (fault != NULL)
        wrong = complain("tenon trace --list shows the runs that there are.", "%s", fault);
    else
        wrong = library_failed(status, "read the journal");
    tn_text_free(text);
    tn_text_free(fault);
    return wrong;
}
