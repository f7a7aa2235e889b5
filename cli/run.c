/* `tenon run`: read, compile, run, report. */
#include "run.h"

#include "complain.h"
#include "input.h"
#include "interrupt.h"
#include "journal.h"
#include "policy.h"
#include "prepare.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything a run holds; released together. */
typedef struct Job {
    const Settings *settings;
    Report report;
    Text program;
    Input input;
    Asked asked;
    tn_policy *policy;
    tn_journal *journal;
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
    tn_policy_free(job->policy);
    journal_close(job->journal);
    asked_release(&job->asked);
    input_release(&job->input);
    free(job->program.bytes);
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

    job->report.program_name = program_name(settings, path);
    if (settings->code != NULL) {
        job->program.bytes = strdup(settings->code);
        job->program.length = strlen(settings->code);
        return job->program.bytes != NULL ? 0 : library_failed(TN_ERR_NOMEM, "read the program");
    }
    return file_read(&file, &job->program);
}

static int compile(Job *job)
{
    int wrong = prepare_program(job->settings, input_value(&job->input), &job->asked);

    if (wrong == 0)
        wrong = policy_read(job->settings, &job->policy);
    if (wrong == 0)
        wrong = prepare_engine(job->settings, job->policy, &job->engine);
    if (wrong != 0)
        return wrong;
    job->asked.options.name = job->report.program_name;
    job->asked.options.policy = job->policy;
    tn_status status = tn_program_new(job->engine, job->program.bytes, job->program.length,
                                      &job->asked.options, &job->compiled);
    return status == TN_OK ? 0 : library_failed(status, "prepare the program");
}

static int start(Job *job)
{
    const Settings *settings = job->settings;
    tn_run_options options = TN_INIT(tn_run_options);

    options.input = input_value(&job->input);
    options.zone = settings->zone;
    options.locale = settings->locale;
    options.policy = job->policy;
    options.journal = job->journal;
    options.journal_level = journal_level(settings);
    if (job->policy != NULL && terminal_open()) {
        options.ask = terminal_ask;
        options.ask_user = (void *)(uintptr_t)job->report.program_name;
    }
    if (settings_given(settings, "seed"))
        options.seed = &settings->seed;
    /* 0 means the real time there, so 1970 itself is a moment later, that a Date cannot tell. */
    if (settings_given(settings, "now"))
        options.now_ms = settings->now_ms != 0 ? settings->now_ms : 1e-6;

    tn_status status = tn_run_start(job->compiled, &options, &job->run);
    if (status == TN_ERR_NOT_FOUND && job->policy != NULL)
        return complain("An \"override\" has to name functions that this run has.",
                        "%s puts a function in the place of another that is not there",
                        settings->policy != NULL ? settings->policy : "--override");
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

    if ((wrong = report_style(settings, &job->report.style)) != 0 ||
        (wrong = check_operands(settings)) != 0)
        return wrong;
    if (settings->locale != NULL && strcmp(settings->locale, "en-US") != 0 &&
        strcmp(settings->locale, "en") != 0)
        return complain("Leave it out, or write en-US: this build has no other locale's data.",
                        "--locale cannot be \"%s\"", settings->locale);
    if ((wrong = read_program(job)) != 0 || (wrong = input_read(settings, &job->input)) != 0)
        return wrong;

    interrupt_begin();
    if ((wrong = journal_open(settings, &job->journal)) != 0 || (wrong = compile(job)) != 0 ||
        (wrong = start(job)) != 0 || (wrong = drive(job)) != 0)
        return wrong;
    job->report.program_text = job->program.bytes;
    job->report.program_length = job->program.length;
    return report_outcome(&job->report, job->outcome);
}

int run_command(const Settings *settings)
{
    Job job = {.settings = settings,
               .report = {.color = settings->color,
                          .tokens = settings->tokens,
                          .journal_file = settings->journal_file}};

    int code = perform(&job);
    job_release(&job);
    return code;
}
