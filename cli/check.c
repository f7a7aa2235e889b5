/* `tenon check`: what `tenon run` would say before anything runs, for many files. */
#include "check.h"

#include "complain.h"
#include "findings.h"
#include "input.h"
#include "lsp.h"
#include "policy.h"
#include "prepare.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* One program, and where its findings go. */
typedef struct Checking {
    const Settings *settings;
    Style style;
    tn_engine *engine;
    const Asked *asked;
    tn_policy *policy;
    Printer *out;
    tn_writer *json; /* of STYLE_JSON */
    size_t refused;
    bool declared; /* --lsp: the declaration files were told of */
} Checking;

static void put_text_member(tn_writer *json, const char *name, const char *text)
{
    if (text == NULL)
        return;
    tn_put_key(json, name);
    tn_put_string(json, text);
}

static void put_number_member(tn_writer *json, const char *name, unsigned number)
{
    tn_put_key(json, name);
    tn_put_int(json, number);
}

static void put_json_finding(tn_writer *json, const tn_finding *finding)
{
    static const char *const severities[] = {"error", "warning", "info"};

    tn_put_object_begin(json);
    put_text_member(json, "code", finding->code);
    put_text_member(json, "severity", severities[finding->severity]);
    put_text_member(json, "message", finding->message);
    put_number_member(json, "line", finding->line);
    put_number_member(json, "column", finding->column);
    put_number_member(json, "endLine", finding->end_line);
    put_number_member(json, "endColumn", finding->end_column);
    put_text_member(json, "file", finding->file);
    put_text_member(json, "didYouMean", finding->did_you_mean);
    put_text_member(json, "declaration", finding->declaration);
    put_text_member(json, "edit", finding->edit);
    tn_put_object_end(json);
}

static void put_json(Checking *checking, const char *name, const tn_program *program)
{
    tn_writer *json = checking->json;

    tn_put_object_begin(json);
    put_text_member(json, "name", name);
    tn_put_key(json, "ready");
    tn_put_bool(json, tn_program_ready(program));
    tn_put_key(json, "findings");
    tn_put_array_begin(json);
    for (size_t i = 0; i < tn_program_finding_count(program); i++)
        put_json_finding(json, tn_program_finding(program, i));
    tn_put_array_end(json);
    tn_put_object_end(json);
}

/* For a model: the first eight, errors before the rest. */
static void put_findings(Checking *checking, const FindingPlace *place, const tn_program *program)
{
    enum { MODEL_FINDINGS = 8 };
    size_t count = tn_program_finding_count(program), shown = 0;
    size_t most = checking->style == STYLE_MODEL ? MODEL_FINDINGS : count;

    for (int severity = TN_SEVERITY_ERROR; severity <= TN_SEVERITY_INFO; severity++) {
        for (size_t i = 0; i < count && shown < most; i++) {
            const tn_finding *finding = tn_program_finding(program, i);
            if ((int)finding->severity != severity)
                continue;
            finding_put(checking->out, place, finding);
            shown++;
        }
    }
    if (shown < count) {
        char note[60];
        snprintf(note, sizeof note, "... and %zu more\n", count - shown);
        printer_put(checking->out, note);
    }
}

/* Not whether it is ready to run: a package may be declared only. */
static bool has_errors(const tn_program *program)
{
    for (size_t i = 0; i < tn_program_finding_count(program); i++) {
        if (tn_program_finding(program, i)->severity == TN_SEVERITY_ERROR)
            return true;
    }
    return false;
}

/* The program, and once the declaration files: they are the same for all programs. */
static int put_lsp(Checking *checking, const char *path, const tn_program *program)
{
    const TextList *declarations = &checking->settings->declarations;
    int wrong = lsp_put(checking->out, program, NULL, path);

    for (size_t i = 0; i < declarations->count && wrong == 0 && !checking->declared; i++)
        wrong = lsp_put(checking->out, program, declarations->at[i], declarations->at[i]);
    checking->declared = true;
    return wrong;
}

/* `path`: where it lies, NULL if nowhere. */
static int check_text(Checking *checking, const char *path, const char *shown, const char *name,
                      const Text *text)
{
    int wrong = 0;
    tn_program_options options = checking->asked->options;
    FindingPlace place = {shown, text->bytes, text->length};
    tn_program *program = NULL;

    options.name = name;
    options.policy = checking->policy;
    tn_status status =
        tn_program_new(checking->engine, text->bytes, text->length, &options, &program);
    if (status != TN_OK)
        return library_failed(status, "prepare the program");
    if (checking->settings->lsp)
        wrong = put_lsp(checking, path, program);
    else if (checking->style == STYLE_JSON)
        put_json(checking, shown, program);
    else
        put_findings(checking, &place, program);
    checking->refused += has_errors(program);
    tn_program_free(program);
    return wrong;
}

static int check_file(Checking *checking, const char *path)
{
    ReadJob job = {.path = path,
                   .what = "program",
                   .remedy = "Is it a program?",
                   .limit_bytes = FILE_BYTES_MAX};
    Text text = {0};
    int wrong = file_read(&job, &text);

    if (wrong == 0)
        wrong = check_text(checking, path, strcmp(path, "-") == 0 ? "program.ts" : path,
                           program_name(checking->settings, path), &text);
    free(text.bytes);
    return wrong;
}

static int check_all(Checking *checking)
{
    const Settings *settings = checking->settings;
    int wrong = 0;

    if (settings->code != NULL) {
        Text text = {strdup(settings->code), strlen(settings->code)};
        wrong = text.bytes != NULL ? check_text(checking, NULL, "program.ts", "program.ts", &text)
                                   : library_failed(TN_ERR_NOMEM, "read the program");
        free(text.bytes);
    }
    for (size_t i = 0; i < settings->operand_count && wrong == 0; i++)
        wrong = check_file(checking, settings->operands[i]);
    return wrong;
}

static int print_json(Checking *checking)
{
    tn_status status = printer_json(checking->out, checking->json);

    return status == TN_OK ? 0 : library_failed(status, "print what was found");
}

static int check_and_print(Checking *checking)
{
    int wrong;

    if (checking->style != STYLE_JSON)
        return check_all(checking);
    tn_status status = tn_writer_new(&checking->json);
    if (status != TN_OK)
        return library_failed(status, "check");
    tn_put_object_begin(checking->json);
    tn_put_key(checking->json, "files");
    tn_put_array_begin(checking->json);
    wrong = check_all(checking);
    tn_put_array_end(checking->json);
    tn_put_key(checking->json, "ok");
    tn_put_bool(checking->json, checking->refused == 0);
    tn_put_object_end(checking->json);
    if (wrong == 0)
        wrong = print_json(checking);
    tn_writer_free(checking->json);
    return wrong;
}

int check_command(const Settings *settings)
{
    Checking checking = {.settings = settings};
    Printer out;
    Input input = {0};
    Asked asked;
    int wrong = report_style(settings, &checking.style);

    if (wrong != 0)
        return wrong;
    if (settings->operand_count == 0 && settings->code == NULL)
        return complain("Usage: tenon check FILE... | - | -e CODE", "there is nothing to check");
    out = printer_for(stdout, settings->color);
    wrong = input_read(settings, &input);
    if (wrong == 0) {
        wrong = prepare_program(settings, input_value(&input), &asked);
        checking.asked = &asked;
        checking.out = &out;
        if (wrong == 0)
            wrong = policy_read(settings, &checking.policy);
        if (wrong == 0)
            wrong = prepare_engine(settings, checking.policy, &checking.engine);
        if (wrong == 0)
            wrong = check_and_print(&checking);
        asked_release(&asked);
    }
    printer_finish(&out);
    tn_engine_free(checking.engine);
    tn_policy_free(checking.policy);
    input_release(&input);
    return wrong != 0 ? wrong : checking.refused > 0 ? EXIT_REFUSED : EXIT_OK;
}
