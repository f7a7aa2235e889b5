#include "findings.h"

#include "excerpt.h"

#include <string.h>

static void put_place(Printer *printer, const FindingPlace *place, const tn_finding *finding)
{
    char text[32];

    if (finding->file != NULL)
        printer_put(printer, finding->file);
    else if (finding->line > 0)
        printer_put(printer, place->name);
    if (finding->line > 0) {
        snprintf(text, sizeof text, ":%u:%u: ", finding->line, finding->character);
        printer_put(printer, text);
    }
}

static void put_note(Printer *printer, const char *lead, const char *text)
{
    if (text == NULL)
        return;
    printer_put(printer, lead);
    printer_line(printer, text, strlen(text));
}

void finding_put(Printer *printer, const FindingPlace *place, const tn_finding *finding)
{
    static const char *const words[] = {[TN_SEVERITY_ERROR] = "error ",
                                        [TN_SEVERITY_WARNING] = "warning ",
                                        [TN_SEVERITY_INFO] = "note "};
    static const char *const colors[] = {
        [TN_SEVERITY_ERROR] = "1;31", [TN_SEVERITY_WARNING] = "1;33", [TN_SEVERITY_INFO] = "1"};

    put_place(printer, place, finding);
    printer_style(printer, colors[finding->severity]);
    printer_put(printer, words[finding->severity]);
    printer_put(printer, finding->code);
    printer_style(printer, "");
    printer_put(printer, ": ");
    printer_line(printer, finding->message, strlen(finding->message));
    if (finding->severity == TN_SEVERITY_ERROR && finding->file == NULL)
        excerpt_put(printer, place->text, place->length, finding->line, finding->column);
    put_note(printer, "  declared: ", finding->declaration);
}
