/* What the library tried on this machine, as a table or as its JSON. */
#include "doctor.h"

#include "complain.h"
#include "prepare.h"
#include "print.h"

#include <string.h>
#include <unistd.h>

static void put_member(Printer *out, tn_value object, const char *name)
{
    size_t length = 0;
    const char *text = tn_value_text(tn_value_member(object, name), &length);

    if (text != NULL)
        printer_write(out, text, length);
}

static size_t member_length(tn_value object, const char *name)
{
    size_t length = 0;
    return tn_value_text(tn_value_member(object, name), &length) != NULL ? length : 0;
}

static void put_spaces(Printer *out, size_t count)
{
    while (count-- > 0)
        printer_put(out, " ");
}

/* "ok       name        detail", and for what is missing a second line with the remedy. */
static void put_check(Printer *out, tn_value check, size_t name_width)
{
    bool ok = tn_value_bool(tn_value_member(check, "ok"));

    printer_style(out, ok ? "32" : "1;31");
    printer_put(out, ok ? "ok     " : "missing");
    printer_style(out, "");
    put_spaces(out, 2);
    put_member(out, check, "name");
    put_spaces(out, name_width + 2 - member_length(check, "name"));
    put_member(out, check, "detail");
    printer_put(out, "\n");
    if (!ok && member_length(check, "remedy") > 0) {
        put_spaces(out, name_width + 11);
        put_member(out, check, "remedy");
        printer_put(out, "\n");
    }
}

/* Does it check a program? */
static bool is_compiler(const char *path)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_program_options program_options = TN_INIT(tn_program_options);
    tn_engine *engine = NULL;
    tn_program *program = NULL;

    options.checker = TN_CHECKER_TSC;
    options.compiler = path;
    program_options.name = "doctor.ts";
    bool ready = tn_engine_new(&options, &engine) == TN_OK &&
                 tn_program_new(engine, "1", 1, &program_options, &program) == TN_OK &&
                 tn_program_ready(program);
    tn_program_free(program);
    tn_engine_free(engine);
    return ready;
}

/* Who checks types: programs run without, so it is told apart from what is missing. */
static void put_compiler(Printer *out, size_t name_width, bool can_run)
{
    const char *path = prepare_compiler();

    if (path != NULL && (access(path, X_OK) != 0 || (can_run && !is_compiler(path))))
        path = NULL;
    printer_style(out, path != NULL ? "32" : "33");
    printer_put(out, path != NULL ? "ok     " : "absent ");
    printer_style(out, "");
    printer_put(out, "  types");
    put_spaces(out, name_width > 5 ? name_width - 3 : 2);
    printer_put(out, path != NULL ? path : "no TypeScript compiler: programs run unchecked");
    printer_put(out, "\n");
    if (path != NULL)
        return;
    put_spaces(out, name_width + 11);
    printer_put(out, "let TENON_TSC name the program tsc of TypeScript 7\n");
}

static void put_table(Printer *out, tn_value report)
{
    tn_value checks = tn_value_member(report, "checks");
    size_t name_width = 0;

    for (tn_cursor cursor = {0}; tn_value_next(checks, &cursor);) {
        size_t length = member_length(cursor.value, "name");
        name_width = length > name_width ? length : name_width;
    }
    for (tn_cursor cursor = {0}; tn_value_next(checks, &cursor);)
        put_check(out, cursor.value, name_width);
    put_compiler(out, name_width, tn_value_bool(tn_value_member(report, "ok")));
    printer_put(out, "\ntenon ");
    printer_put(out, tn_version());
    printer_put(out, tn_value_bool(tn_value_member(report, "ok"))
                         ? ": programs can run on this machine.\n"
                         : ": programs cannot run here until what is missing is mended.\n");
}

/* The library's JSON is read back by the library: the command needs no reader of its own. */
static int put_report(Printer *out, const Settings *settings, const char *text, size_t length)
{
    tn_writer *reader = NULL;
    tn_status status = tn_writer_new(&reader);

    if (status == TN_OK)
        status = tn_put_json(reader, text, length);
    if (status != TN_OK) {
        tn_writer_free(reader);
        complain("`tenon doctor --json` prints it unread.", "cannot read the report: %s",
                 tn_status_text(status));
        return EXIT_UNAVAILABLE;
    }
    tn_value report = tn_writer_value(reader);
    bool ok = tn_value_bool(tn_value_member(report, "ok"));
    if (settings->json)
        printer_line(out, text, length);
    else
        put_table(out, report);
    tn_writer_free(reader);
    return ok ? EXIT_OK : EXIT_UNAVAILABLE;
}

int doctor_command(const Settings *settings)
{
    Printer out = printer_for(stdout, settings->color);
    size_t length = 0;
    char *text = NULL;

    if (settings->operand_count > 0)
        return complain("Usage: tenon doctor [--json]", "doctor takes no argument, \"%s\"",
                        settings->operands[0]);
    tn_status status = tn_doctor(&text, &length);
    if (status != TN_OK) {
        complain("Free memory on this machine and try again.", "cannot examine this machine: %s",
                 tn_status_text(status));
        return EXIT_UNAVAILABLE;
    }
    int code = put_report(&out, settings, text, length);
    tn_text_free(text);
    int failure = printer_finish(&out);
    if (failure != 0)
        return complain("Make room and run it again.", "cannot write to standard output: %s",
                        strerror(failure));
    return code;
}
