/* Fuzz target: any text as a program, compiled and run in a realm with small limits. The host must
 * stay alive, the run must end, and the same engine must still add. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon.h"

static tn_engine *engine;
static tn_program *check;

static void start(void)
{
    tn_status status = tn_engine_new(NULL, &engine);

    assert(status == TN_OK);
    status = tn_program_new(engine, "1 + 1", 5, NULL, &check);
    assert(status == TN_OK);
}

static double run(tn_program *program, uint32_t wall_ms)
{
    tn_run_options options = {.size = sizeof options,
                              .limits = {.size = sizeof options.limits,
                                         .wall_ms = wall_ms,
                                         .memory_bytes = 8u << 20,
                                         .linger_ms = 1}};
    tn_outcome *outcome = NULL;
    char *text = NULL;
    size_t length;
    double value;
    tn_status status = tn_run_program(program, &options, &outcome);

    assert(status == TN_OK);
    status = tn_outcome_json(outcome, &text, &length);
    assert(status == TN_OK && length > 0);
    value = tn_value_number(tn_outcome_value(outcome));
    /* a crash is contained, but it is a fault of the engine to be looked at */
    assert(tn_outcome_status_of(outcome) != TN_OUTCOME_CRASHED);
    tn_text_free(text);
    tn_outcome_free(outcome);
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tn_program *program = NULL;

    if (!engine)
        start();
    if (tn_program_new(engine, (const char *)data, size, NULL, &program) == TN_OK)
        (void)run(program, 20);
    tn_program_free(program);
    if (run(check, 5000) != 2)
        abort();
    return 0;
}
