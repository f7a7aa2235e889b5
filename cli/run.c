/* `tenon run`: read, compile, run, report. */
#include "run.h"

#include "complain.h"
#include "files.h"
#include "interrupt.h"
#include "json_fault.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Only what no program or input is: the limits of a run are the library's to keep and to report. */
enum { FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* Everything a run holds; released together. */
typedef struct Job {
    const Settings *settings;
    Report report;
    Text program;
    Text input;
    tn_writer *input_value;
    tn_engine *engine;
    tn_program *compiled;
    tn_run *run;
    tn_outcome *outcome;
} Job;

static void job_release(Job *job)
{
    tn_outcome_free(job->outcome);
    tn_run_free(job->run);
    tn_program_free(job->compiled);
    tn_engine_free(job->engine);
    tn_writer_free(job->input_value);
    free(job->input.bytes);
    free(job->program.bytes);
}

/* The library could not do it: nothing that the program did. */
static int library_failed(tn_status status, const char *doing)
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

/* Is an agent reading what we print? */
static bool agent_environment(void)
{
    static const char *const signs[] = {"AI_AGENT",     "CLAUDECODE",    "CURSOR_AGENT",
                                        "GEMINI_CLI",   "CODEX_SANDBOX", "OPENCODE_CLIENT",
                                        "AUGMENT_AGENT"};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const char *value = getenv(signs[i]);
        if (value != NULL && *value != '\0')
            return true;
    }
    return false;
}

static int choose_style(const Settings *settings, Style *out_style)
{
    const char *asked[] = {settings->json ? "--json" : NULL, settings->agent ? "--agent" : NULL,
                           settings->quiet ? "--quiet" : NULL};
    const char *first = NULL;

    for (size_t i = 0; i < 3; i++) {
        if (asked[i] != NULL && first != NULL)
            return complain("Each says what stdout holds: choose one.",
                            "%s and %s exclude each other", first, asked[i]);
        first = asked[i] != NULL ? asked[i] : first;
    }
    if (settings->agent && settings->no_agent)
        return complain("Choose one.", "--agent and --no-agent exclude each other");

    *out_style = settings->json ? STYLE_JSON : settings->quiet ? STYLE_VALUE : STYLE_PERSON;
    if (settings->agent ||
        (first == NULL && !settings->no_agent && isatty(STDOUT_FILENO) != 1 && agent_environment()))
        *out_style = STYLE_MODEL;
    if (settings_given(settings, "tokens") && *out_style != STYLE_MODEL)
        return complain("Add --agent.", "--tokens only has a meaning with --agent");
    return 0;
}

/* FILE, - or -e CODE: exactly one of them. */
static int check_operands(const Settings *settings)
{
    const char *operand = settings->operands[0];
    const char *input = settings->input;
    bool input_is_stdin = input != NULL && (strcmp(input, "-") == 0 || strcmp(input, "@-") == 0);

    if (settings->code == NULL && operand == NULL)
        return complain("tenon run FILE, tenon run - for standard input, or tenon run -e CODE.",
                        "nothing to run");
    if (settings->code != NULL && operand != NULL)
        return complain("Give one or the other.", "both -e CODE and a file, \"%s\"", operand);
    if (settings->operand_count > 1)
        return complain("A run takes one program; give it data with --input.",
                        "more than one file: \"%s\" and \"%s\"", operand, settings->operands[1]);
    if (operand != NULL && strcmp(operand, "-") == 0 && input_is_stdin)
        return complain("Put one of them in a file: --input @FILE.",
                        "program and --input cannot both come from standard input");
    return 0;
}

static int read_program(Job *job)
{
    const Settings *settings = job->settings;
    const char *path = settings->operands[0];
    ReadJob file = {.path = path,
                    .what = "program",
                    .remedy = "Is it a program? Data is given by --input @FILE.",
                    .limit_bytes = FILE_BYTES_MAX};

    job->report.program_name = "program.js";
    if (settings->code != NULL) {
        job->program.bytes = strdup(settings->code);
        job->program.length = strlen(settings->code);
        return job->program.bytes != NULL ? 0 : library_failed(TN_ERR_NOMEM, "read the program");
    }
    if (strcmp(path, "-") != 0) {
        const char *slash = strrchr(path, '/');
        job->report.program_name = slash != NULL ? slash + 1 : path;
    }
    return file_read(&file, &job->program);
}

static int refuse_input(const char *text, size_t length, const char *origin)
{
    JsonFault fault = json_fault(text, length);

    if (origin == NULL && access(text, R_OK) == 0)
        return complain_about("To read that file: --input @%s", text, "--input is not JSON: \"%s\"",
                              text);
    return complain("An object is wanted, as --input '{\"name\": \"Ada\", \"n\": 3}'.",
                    "--input%s%s is not JSON: expected %s at line %zu, column %zu",
                    origin != NULL ? " from " : "", origin != NULL ? origin : "", fault.expected,
                    fault.line, fault.column);
}

static int read_input(Job *job)
{
    const char *text = job->settings->input;
    const char *origin = NULL;
    tn_status status = TN_OK;

    if (text == NULL)
        return 0;
    size_t length = strlen(text);
    if (text[0] == '@' || strcmp(text, "-") == 0) {
        ReadJob file = {.path = text[0] == '@' ? text + 1 : text,
                        .what = "input",
                        .remedy = "Give the program less.",
                        .limit_bytes = FILE_BYTES_MAX};
        int wrong = file_read(&file, &job->input);
        if (wrong != 0)
            return wrong;
        origin = strcmp(file.path, "-") == 0 ? "standard input" : file.path;
        text = job->input.bytes;
        length = job->input.length;
    }
    if ((status = tn_writer_new(&job->input_value)) != TN_OK)
        return library_failed(status, "read the input");
    status = tn_put_json(job->input_value, text, length);
    if (status == TN_ERR_ARGUMENT)
        return refuse_input(text, length, origin);
    if (status != TN_OK)
        return library_failed(status, "read the input");
    if (tn_value_type(tn_writer_value(job->input_value)) != TN_TYPE_OBJECT)
        return complain("Its members become names in the program: --input '{\"list\": [1, 2]}'.",
                        "--input is JSON, but not an object");
    return 0;
}

static int compile(Job *job)
{
    static const tn_bounds bounds[] = {
        [BOUNDS_GUARD] = TN_BOUNDS_GUARD, [BOUNDS_CHECKED] = TN_BOUNDS_CHECKED};
    const Settings *settings = job->settings;
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_program_options program = TN_INIT(tn_program_options);

    options.limits = settings->limits;
    options.idle_realms = 1;
    if (settings_given(settings, "bounds"))
        options.bounds = bounds[settings->bounds];
    tn_status status = tn_engine_new(&options, &job->engine);
    if (status != TN_OK)
        return library_failed(status, "make an engine");

    program.name = job->report.program_name;
    status = tn_program_new(job->engine, job->program.bytes, job->program.length, &program,
                            &job->compiled);
    return status == TN_OK ? 0 : library_failed(status, "prepare the program");
}

static int start(Job *job)
{
    const Settings *settings = job->settings;
    tn_run_options options = TN_INIT(tn_run_options);

    if (job->input_value != NULL)
        options.input = tn_writer_value(job->input_value);
    options.zone = settings->zone;
    options.locale = settings->locale;
    if (settings_given(settings, "seed"))
        options.seed = &settings->seed;
    /* 0 means the real time there, so 1970 itself is a moment later, that a Date cannot tell. */
    if (settings_given(settings, "now"))
        options.now_ms = settings->now_ms != 0 ? settings->now_ms : 1e-6;

    tn_status status = tn_run_start(job->compiled, &options, &job->run);
    if ((status == TN_ERR_ARGUMENT || status == TN_ERR_NOT_FOUND) && settings->zone != NULL)
        return complain("Name one as the IANA does, Europe/Paris or UTC, and see that tzdata is "
                        "installed.",
                        "--zone: no such time zone, \"%s\"", settings->zone);
    return status == TN_OK ? 0 : library_failed(status, "start the run");
}

/* Step and wait until it is done. Signals cancel it meanwhile. */
static int drive(Job *job)
{
    tn_run_state state = TN_RUN_READY;
    tn_status status = TN_OK;

    interrupt_watch(job->run);
    while (status == TN_OK && state != TN_RUN_DONE) {
        status = tn_run_step(job->run, &state);
        if (status == TN_OK && state == TN_RUN_WAITING)
            status = tn_run_wait(job->run, -1);
    }
    interrupt_watch(NULL);
    if (status == TN_OK)
        status = tn_run_outcome(job->run, &job->outcome);
    return status == TN_OK ? 0 : library_failed(status, "run the program");
}

static int perform(Job *job)
{
    const Settings *settings = job->settings;
    int wrong = 0;

    if ((wrong = choose_style(settings, &job->report.style)) != 0 ||
        (wrong = check_operands(settings)) != 0)
        return wrong;
    if (settings->locale != NULL && strcmp(settings->locale, "en-US") != 0 &&
        strcmp(settings->locale, "en") != 0)
        return complain("Leave it out, or write en-US: this build has no other locale's data.",
                        "--locale cannot be \"%s\"", settings->locale);
    if ((wrong = read_program(job)) != 0 || (wrong = read_input(job)) != 0)
        return wrong;

    interrupt_begin();
    if ((wrong = compile(job)) != 0 || (wrong = start(job)) != 0 || (wrong = drive(job)) != 0)
        return wrong;
    job->report.program_text = job->program.bytes;
    job->report.program_length = job->program.length;
    return report_outcome(&job->report, job->outcome);
}

int run_command(const Settings *settings)
{
    Job job = {.settings = settings,
               .report = {.color = settings->color, .tokens = settings->tokens}};

    int code = perform(&job);
    job_release(&job);
    return code;
}
