/* How programs end in Tenon: see verdict.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon.h"
#include "verdict.h"

static tn_engine *engine;

static void say_text(const char *first, const char *text)
{
    say(first, text, strlen(text));
}

static void say_value(tn_value value)
{
    size_t length = 0, mark = strlen(VERDICT_MARK);
    const char *text = tn_value_type(value) == TN_TYPE_TEXT ? tn_value_text(value, &length) : NULL;

    if (text && length >= mark && memcmp(text, VERDICT_MARK, mark) == 0)
        say("", text + mark, length - mark);
    else
        puts("completed");
}

static void say_outcome(const tn_outcome *outcome)
{
    const tn_error *error = tn_outcome_error(outcome);

    switch (tn_outcome_status_of(outcome)) {
    case TN_OUTCOME_OK:
        say_value(tn_outcome_value(outcome));
        break;
    case TN_OUTCOME_REFUSED:
        puts("refused");
        break;
    case TN_OUTCOME_FAILED:
        say_text("threw ", error ? error->name : "");
        break;
    case TN_OUTCOME_LIMIT:
        say_text("limit ", error ? error->code : "");
        break;
    case TN_OUTCOME_DENIED:
    case TN_OUTCOME_SUSPENDED:
    case TN_OUTCOME_CANCELLED:
    case TN_OUTCOME_CRASHED:
        puts(tn_outcome_status_text(tn_outcome_status_of(outcome)));
        break;
    }
}

/* A default export is a program's value, and not every value crosses; natively nobody looks. */
static tn_status run(tn_program *program, const char *text, const tn_run_options *options,
                     tn_outcome **out_outcome)
{
    tn_handle *handle = NULL;
    tn_status status;

    if (!strstr(text, "export default "))
        return tn_run_program(program, options, out_outcome);
    status = tn_program_export(program, "default", options, &handle, out_outcome);
    tn_handle_free(handle);
    return status;
}

static void judge(const char *text, size_t length)
{
    tn_run_options options = TN_INIT(tn_run_options);
    tn_program *program = NULL;
    tn_outcome *outcome = NULL;
    tn_status status = tn_program_new(engine, text, length, NULL, &program);

    options.limits.cpu_ms = VERDICT_CPU_MS;
    options.limits.wall_ms = 10 * VERDICT_CPU_MS;
    options.limits.memory_bytes = VERDICT_MEMORY_BYTES;
    options.limits.linger_ms = 1;
    if (status == TN_OK)
        status = run(program, text, &options, &outcome);
    if (status == TN_OK)
        say_outcome(outcome);
    else if (status == TN_ERR_NOT_FOUND) /* it ended well, with no function there */
        puts("completed");
    else
        say_text("status ", tn_status_text(status));
    tn_outcome_free(outcome);
    tn_program_free(program);
}

int main(void)
{
    tn_engine_options options = TN_INIT(tn_engine_options);

    options.limits.source_bytes = 64u << 20;
    options.limits.memory_bytes = VERDICT_MEMORY_BYTES;
    if (tn_engine_new(&options, &engine) != TN_OK)
        return 1;
    judge_all(judge);
    tn_engine_free(engine);
    return 0;
}
