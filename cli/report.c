/* What a run came to, for whoever reads it. */
#include "report.h"

#include "complain.h"
#include "findings.h"
#include "interrupt.h"
#include "print.h"

#include <signal.h>
#include <string.h>

static int exit_code(const tn_outcome *outcome)
{
    switch (tn_outcome_status_of(outcome)) {
    case TN_OUTCOME_OK:
        return EXIT_OK;
    case TN_OUTCOME_FAILED:
        return EXIT_FAILED;
    case TN_OUTCOME_REFUSED:
        return EXIT_REFUSED;
    case TN_OUTCOME_DENIED:
        return EXIT_DENIED;
    case TN_OUTCOME_LIMIT:
        return EXIT_LIMIT;
    case TN_OUTCOME_SUSPENDED:
        return EXIT_SUSPENDED;
    case TN_OUTCOME_CRASHED:
        return EXIT_CRASHED;
    case TN_OUTCOME_CANCELLED:
        return EXIT_SIGNAL + (interrupt_signal() != 0 ? interrupt_signal() : SIGINT);
    }
    return EXIT_CRASHED;
}

/* Text that the library made; `status` is what it said when asked for it. */
static int put_text(Printer *printer, tn_status status, char *text, size_t length)
{
    if (status != TN_OK) {
        complain("Ask for less: --result and --output bound what is kept.",
                 "cannot print the outcome: %s", tn_status_text(status));
        return EXIT_UNAVAILABLE;
    }
    printer_line(printer, text, length);
    tn_text_free(text);
    return 0;
}

/* A string raw, undefined not at all, everything else as JSON. */
static int put_value(Printer *out, tn_value value)
{
    tn_type type = tn_value_type(value);
    size_t length = 0;
    char *json = NULL;

    if (type == TN_TYPE_NONE || type == TN_TYPE_UNDEFINED)
        return 0;
    if (type == TN_TYPE_TEXT) {
        const char *text = tn_value_text(value, &length);
        if (text != NULL) {
            printer_line(out, text, length);
            return 0;
        }
    }
    tn_status status = tn_value_json(value, &json, &length);
    return put_text(out, status, json, length);
}

static void put_entry(Printer *out, Printer *errors, const tn_console_entry *entry)
{
    static const char *const colors[] = {
        [TN_LEVEL_DEBUG] = "2", [TN_LEVEL_WARN] = "33", [TN_LEVEL_ERROR] = "31"};
    bool aside = entry->level == TN_LEVEL_WARN || entry->level == TN_LEVEL_ERROR;
    Printer *printer = aside ? errors : out;
    const char *color = colors[entry->level];

    /* Each in its turn where both streams are one terminal. */
    printer_finish(aside ? out : errors);
    if (color != NULL)
        printer_style(printer, color);
    printer_write(printer, entry->text, entry->length);
    if (color != NULL)
        printer_style(printer, "");
    printer_write(printer, "\n", 1);
}

static void put_console(Printer *out, Printer *errors, const tn_outcome *outcome)
{
    const tn_usage *usage = tn_outcome_usage(outcome);
    size_t count = tn_outcome_console_count(outcome);

    for (size_t i = 0; i < count; i++)
        put_entry(out, errors, tn_outcome_console(outcome, i));
    printer_finish(out);
    if (usage != NULL && usage->console_dropped_bytes > 0) {
        char note[120];
        snprintf(note, sizeof note,
                 "tenon: %llu bytes of console output were left out; --output keeps more\n",
                 (unsigned long long)usage->console_dropped_bytes);
        printer_put(errors, note);
    }
}

static void put_place(Printer *errors, const Report *report, unsigned line, unsigned character)
{
    char place[32];

    if (line == 0)
        return;
    printer_put(errors, report->program_name);
    snprintf(place, sizeof place, ":%u:%u: ", line, character);
    printer_put(errors, place);
}

static void put_findings(Printer *errors, const Report *report, const tn_outcome *outcome)
{
    FindingPlace place = {report->program_name, report->program_text, report->program_length};
    size_t count = tn_outcome_finding_count(outcome);

    for (size_t i = 0; i < count; i++)
        finding_put(errors, &place, tn_outcome_finding(outcome, i));
}

static void put_paragraph(Printer *errors, const char *lead, const char *text)
{
    if (*text == '\0')
        return;
    printer_put(errors, lead);
    printer_line(errors, text, strlen(text));
}

/* The frames of a stack; an engine may put the error's own text before them. */
static void put_stack(Printer *errors, const char *stack)
{
    while (*stack != '\0') {
        size_t length = strcspn(stack, "\n");
        size_t space = strspn(stack, " ");
        if (strncmp(stack + space, "at ", 3) == 0) {
            printer_put(errors, "    ");
            printer_line(errors, stack + space, length - space);
        }
        stack += length + (stack[length] == '\n');
    }
}

static int put_cause(Printer *errors, tn_value cause)
{
    if (tn_value_type(cause) == TN_TYPE_NONE)
        return 0;
    printer_put(errors, "cause: ");
    return put_value(errors, cause);
}

/* What was thrown may be no Error: then it has no name, and its value says more than its text. */
static void put_headline(Printer *errors, tn_outcome_status status, const tn_error *error)
{
    size_t length = 0;
    char *json = NULL;

    printer_style(errors, "1;31");
    printer_put(errors, *error->name != '\0' ? error->name : tn_outcome_status_text(status));
    printer_style(errors, "");
    printer_put(errors, ": ");
    if (*error->name == '\0' && tn_value_json(error->value, &json, &length) == TN_OK) {
        printer_put(errors, "the program threw ");
        printer_line(errors, json, length);
        tn_text_free(json);
        return;
    }
    printer_line(errors, error->message, strlen(error->message));
}

/* Limits are called as the options that set them. */
static void put_limit_option(Printer *errors, const char *code)
{
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].section != SECTION_LIMITS || strcmp(option_table[i].name, code) != 0)
            continue;
        printer_put(errors, "hint: --");
        printer_put(errors, code);
        printer_put(errors, " sets this limit\n");
    }
}

/* How to see what it did before that, if it did anything. */
static void put_trace_hint(Printer *errors, const Report *report, const tn_outcome *outcome)
{
    const char *run = tn_outcome_run(outcome);

    if (run == NULL || tn_outcome_usage(outcome)->calls == 0)
        return;
    printer_put(errors, "hint: tenon trace ");
    printer_write(errors, run, 6); /* of a thousand runs no two begin alike */
    if (report->journal_file != NULL) {
        printer_put(errors, " --journal-file ");
        printer_put(errors, report->journal_file);
    }
    printer_put(errors, " shows its calls\n");
}

/* place: Name: message, then the source around it, the stack, and what to do. */
static void put_error(Printer *errors, const Report *report, const tn_outcome *outcome)
{
    const tn_error *error = tn_outcome_error(outcome);

    put_place(errors, report, error->line, error->character);
    put_headline(errors, tn_outcome_status_of(outcome), error);
    put_paragraph(errors, "", error->frame);
    put_stack(errors, error->stack);
    put_cause(errors, error->cause);
    put_paragraph(errors, "hint: ", error->hint);
    if (tn_outcome_status_of(outcome) == TN_OUTCOME_LIMIT)
        put_limit_option(errors, error->code);
    put_trace_hint(errors, report, outcome);
}

/* Of a refused program the findings say all. */
static int put_for_person(Printer *out, Printer *errors, const Report *report,
                          const tn_outcome *outcome)
{
    tn_outcome_status status = tn_outcome_status_of(outcome);
    bool explained = status == TN_OUTCOME_REFUSED && tn_outcome_finding_count(outcome) > 0;
    int wrong = 0;

    if (report->style == STYLE_PERSON)
        put_console(out, errors, outcome);
    if (status == TN_OUTCOME_OK)
        wrong = put_value(out, tn_outcome_value(outcome));
    printer_finish(out);
    if (report->style == STYLE_PERSON || explained)
        put_findings(errors, report, outcome);
    if (status != TN_OUTCOME_OK && !explained && tn_outcome_error(outcome) != NULL)
        put_error(errors, report, outcome);
    return wrong;
}

/* A value on a terminal: the library's own text, which lays it out to read. */
static int put_on_screen(Printer *out, const tn_outcome *outcome)
{
    size_t length = 0;
    char *text = NULL;
    tn_status status =
        tn_outcome_text(outcome, out->color ? TN_TEXT_COLOR : TN_TEXT_PERSON, 0, &text, &length);

    if (status != TN_OK)
        return put_text(out, status, text, length);
    printer_safe(out, text, length);
    tn_text_free(text);
    return 0;
}

static int put_outcome(Printer *out, Printer *errors, const Report *report,
                       const tn_outcome *outcome)
{
    size_t length = 0;
    char *text = NULL;
    tn_status status = TN_OK;

    switch (report->style) {
    case STYLE_JSON:
        status = tn_outcome_json(outcome, &text, &length);
        return put_text(out, status, text, length);
    case STYLE_MODEL:
        status = tn_outcome_text(outcome, TN_TEXT_MODEL, report->tokens, &text, &length);
        return put_text(out, status, text, length);
    case STYLE_PERSON:
        if (out->terminal && errors->terminal && tn_outcome_status_of(outcome) == TN_OUTCOME_OK)
            return put_on_screen(out, outcome);
        break;
    case STYLE_VALUE:
        break;
    }
    return put_for_person(out, errors, report, outcome);
}

int report_outcome(const Report *report, const tn_outcome *outcome)
{
    Printer out = printer_for(stdout, report->color);
    Printer errors = printer_for(stderr, report->color);
    int wrong = put_outcome(&out, &errors, report, outcome);
    int failure = printer_finish(&out);

    printer_finish(&errors);
    if (failure != 0)
        return complain(
            "What arrived is not whole: make room, or send it elsewhere, and run it again.",
            "cannot write to standard output: %s", strerror(failure));
    return wrong != 0 ? wrong : exit_code(outcome);
}
