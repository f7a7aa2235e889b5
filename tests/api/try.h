/*
 * Running a program in one line, for tests that look at one thing:
 *
 *   Try try = { .limits.wall_ms = 100 };
 *   tn_outcome *outcome = try_run(&try, "for (;;);");
 *   CHECK(try_is_limit(outcome, "wall"));
 *   try_end(&try);
 *
 * The engine is made at the first run and kept; functions are added before it by `setup`.
 */
#ifndef TRY_H
#define TRY_H

#include <stdlib.h>

#include "check.h"
#include "tenon.h"

typedef struct Try {
    tn_bounds bounds;
    tn_limits limits;        /* of the runs */
    tn_limits engine_limits; /* of the engine */
    tn_value input;
    void *context;
    const char *zone;
    void (*setup)(tn_engine *engine);
    const tn_allocator *allocator;
    /* ---- */
    tn_engine *engine;
    tn_program *program;
    tn_run *run;
    tn_outcome *outcome;
    char *json;
} Try;

static inline tn_engine *try_engine(Try *try)
{
    tn_engine_options options = TN_INIT(tn_engine_options);

    if (try->engine)
        return try->engine;
    options.bounds = try->bounds;
    options.limits = try->engine_limits;
    options.allocator = try->allocator;
    if (CHECK(tn_engine_new(&options, &try->engine) == TN_OK) && try->setup)
        try->setup(try->engine);
    return try->engine;
}

static inline void try_clear(Try *try)
{
    tn_text_free(try->json);
    tn_outcome_free(try->outcome);
    tn_run_free(try->run);
    tn_program_free(try->program);
    try->json = NULL;
    try->outcome = NULL;
    try->run = NULL;
    try->program = NULL;
}

static inline void try_end(Try *try)
{
    try_clear(try);
    tn_engine_free(try->engine);
    try->engine = NULL;
}

static inline tn_program *try_program_of(Try *try, const char *text, size_t length)
{
    try_clear(try);
    if (try_engine(try))
        CHECK(tn_program_new(try->engine, text, length, NULL, &try->program) == TN_OK);
    return try->program;
}

static inline tn_program *try_program(Try *try, const char *text)
{
    return try_program_of(try, text, strlen(text));
}

static inline tn_run_options try_options(const Try *try)
{
    tn_run_options options = TN_INIT(tn_run_options);

    options.limits = try->limits;
    options.input = try->input;
    options.context = try->context;
    options.zone = try->zone;
    return options;
}

static inline tn_run *try_start(Try *try, const char *text)
{
    tn_run_options options = try_options(try);

    if (try_program(try, text))
        CHECK(tn_run_start(try->program, &options, &try->run) == TN_OK);
    return try->run;
}

/* Step and wait until it is done. The outcome is the try's. */
static inline tn_outcome *try_finish(Try *try)
{
    tn_run_state state = TN_RUN_READY;

    while (try->run && state != TN_RUN_DONE) {
        if (!CHECK(tn_run_step(try->run, &state) == TN_OK))
            return NULL;
        if (state == TN_RUN_WAITING)
            CHECK(tn_run_wait(try->run, -1) == TN_OK);
    }
    tn_outcome_free(try->outcome);
    try->outcome = NULL;
    if (try->run)
        CHECK(tn_run_outcome(try->run, &try->outcome) == TN_OK);
    return try->outcome;
}

/* Run the try's program again, or for the first time. */
static inline tn_outcome *try_again(Try *try)
{
    tn_run_options options = try_options(try);

    tn_outcome_free(try->outcome);
    try->outcome = NULL;
    if (try->program)
        CHECK(tn_run_program(try->program, &options, &try->outcome) == TN_OK);
    return try->outcome;
}

static inline tn_outcome *try_run(Try *try, const char *text)
{
    return try_program(try, text) ? try_again(try) : NULL;
}

/* The value as JSON; "" if there is none. Valid until the try's next use. */
static inline const char *try_json(Try *try)
{
    size_t length;

    tn_text_free(try->json);
    try->json = NULL;
    if (!try->outcome || tn_outcome_status_of(try->outcome) != TN_OUTCOME_OK ||
        tn_value_json(tn_outcome_value(try->outcome), &try->json, &length) != TN_OK)
        return "";
    return try->json;
}

static inline bool try_gives(Try *try, const char *text, const char *json)
{
    const tn_error *error;

    try_run(try, text);
    if (strcmp(try_json(try), json) == 0)
        return true;
    error = try->outcome ? tn_outcome_error(try->outcome) : NULL;
    (void)fprintf(stderr, "    %s\n    gave %s%s%s, not %s\n", text, try_json(try),
                  error ? error->name : "", error ? error->message : "", json);
    return false;
}

static inline tn_outcome_status try_status(const Try *try)
{
    return try->outcome ? tn_outcome_status_of(try->outcome) : (tn_outcome_status)-1;
}

static inline const tn_error *try_error(const Try *try)
{
    static const tn_error none = {"", "", "", "", "", "", 0, 0, 0, false, {0}, {0}};
    const tn_error *error = try->outcome ? tn_outcome_error(try->outcome) : NULL;

    return error ? error : &none;
}

static inline bool try_ok(const Try *try)
{
    if (try_status(try) == TN_OUTCOME_OK)
        return true;
    (void)fprintf(stderr, "    status %s: %s: %s (%s)\n", tn_outcome_status_text(try_status(try)),
                  try_error(try)->name, try_error(try)->message, try_error(try)->code);
    return false;
}

static inline bool try_is_limit(const Try *try, const char *code)
{
    if (try_status(try) == TN_OUTCOME_LIMIT && strcmp(try_error(try)->code, code) == 0)
        return true;
    (void)fprintf(stderr, "    status %s, %s: %s (%s), not limit %s\n",
                  tn_outcome_status_text(try_status(try)), try_error(try)->name,
                  try_error(try)->message, try_error(try)->code, code);
    return false;
}

static inline bool try_failed(const Try *try, const char *name)
{
    if (try_status(try) == TN_OUTCOME_FAILED && strcmp(try_error(try)->name, name) == 0)
        return true;
    (void)fprintf(stderr, "    status %s, %s: %s (%s), not failed %s\n",
                  tn_outcome_status_text(try_status(try)), try_error(try)->name,
                  try_error(try)->message, try_error(try)->code, name);
    return false;
}

static inline bool try_has_finding(const Try *try, const char *code, unsigned line)
{
    size_t count = try->outcome ? tn_outcome_finding_count(try->outcome) : 0;

    for (size_t i = 0; i < count; i++) {
        const tn_finding *finding = tn_outcome_finding(try->outcome, i);
        if (strcmp(finding->code, code) == 0 && (line == 0 || finding->line == line))
            return true;
    }
    return false;
}

/* An input from JSON. The writer holds it. */
static inline tn_value try_input(tn_writer **out_writer, const char *json)
{
    if (!CHECK(tn_writer_new(out_writer) == TN_OK))
        return (tn_value){0};
    CHECK(tn_put_json(*out_writer, json, strlen(json)) == TN_OK);
    return tn_writer_value(*out_writer);
}

#endif
