/* Tenon, by its public header, as an embedder has it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"
#include "tenon.h"

static void must(tn_status status, const char *what)
{
    if (status != TN_OK)
        give_up(what, tn_status_text(status));
}

static void must_be_ok(const tn_outcome *outcome, const char *what)
{
    const tn_error *error = tn_outcome_error(outcome);

    if (error)
        give_up(what, error->message);
}

/* ---- host functions ---- */

static void make(void *user, tn_call *call)
{
    tn_writer *result = tn_call_result(call);
    (void)user;

    tn_put_object_begin(result);
    tn_put_key(result, "value");
    tn_put_value(result, tn_call_argument(call, 0));
    tn_put_key(result, "name");
    tn_put_string(result, "small");
    tn_put_object_end(result);
}

static tn_engine *engine_new(void)
{
    tn_engine *engine;

    must(tn_engine_new(NULL, &engine), "engine");
    must(tn_engine_add_function(engine, "host.make", make, NULL,
                                TN_FUNCTION_SYNC | TN_FUNCTION_READ_ONLY),
         "host.make");
    must(tn_engine_add_function(engine, "host.later", make, NULL, TN_FUNCTION_READ_ONLY),
         "host.later");
    return engine;
}

/* One engine for all cases: making it is not what is measured. */
static tn_engine *the_engine(void)
{
    static tn_engine *engine;

    if (!engine)
        engine = engine_new();
    return engine;
}

static tn_program *compile(const char *text, size_t length)
{
    tn_program *program;

    must(tn_program_new(the_engine(), text, length, NULL, &program), "program");
    if (!tn_program_ready(program))
        give_up("program", "does not compile");
    return program;
}

static tn_program *compile_file(const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    tn_program *program = compile(text, length);

    free(text);
    return program;
}

static void run_once(tn_program *program, const tn_run_options *options)
{
    tn_outcome *outcome;

    must(tn_run_program(program, options, &outcome), "run");
    must_be_ok(outcome, "run");
    tn_outcome_free(outcome);
}

/* ---- a fresh realm ---- */

static void check_value(unsigned long count, const char *path)
{
    tn_program *program = compile_file(path);
    tn_outcome *outcome;
    char *text;
    size_t length;
    (void)count;

    must(tn_run_program(program, NULL, &outcome), "run");
    must_be_ok(outcome, path);
    must(tn_value_json(tn_outcome_value(outcome), &text, &length), "json");
    answer_text(text, length);
    tn_text_free(text);
    tn_outcome_free(outcome);
    tn_program_free(program);
}

static void fresh_text(unsigned long count, const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    Elapsed elapsed = {0};

    the_engine();
    elapsed_begin(&elapsed);
    for (unsigned long i = 0; i < count; i++) {
        tn_program *program = compile(text, length);
        run_once(program, NULL);
        tn_program_free(program);
    }
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    free(text);
}

static void fresh_compiled(unsigned long count, const char *path)
{
    tn_program *program = compile_file(path);
    Elapsed elapsed = {0};

    elapsed_begin(&elapsed);
    for (unsigned long i = 0; i < count; i++)
        run_once(program, NULL);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    tn_program_free(program);
}

static void speed(unsigned long count, const char *path)
{
    fresh_compiled(count, path);
}

/* ---- host calls ---- */

static void calls(const char *expression, unsigned long count, tn_journal *journal,
                  tn_journal_level level)
{
    char text[256];
    tn_run_options options = TN_INIT(tn_run_options);
    tn_program *program;
    Elapsed elapsed = {0};

    snprintf(text, sizeof text, "let sum = 0; for (let i = 0; i < %lu; i++) sum += (%s).value; sum",
             count, expression);
    program = compile(text, strlen(text));
    options.limits.calls = (uint32_t)count + 1;
    options.limits.wall_ms = options.limits.cpu_ms = 600000;
    options.journal = journal;
    options.journal_level = level;
    elapsed_begin(&elapsed);
    run_once(program, &options);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    tn_program_free(program);
}

static void calls_sync(unsigned long count, const char *argument)
{
    (void)argument;
    calls("host.make(i)", count, NULL, TN_JOURNAL_NORMAL);
}

static void calls_async(unsigned long count, const char *argument)
{
    (void)argument;
    calls("await host.later(i)", count, NULL, TN_JOURNAL_NORMAL);
}

/* The first kind once more, written down in a file of its own. */
static void calls_written(unsigned long count, tn_journal_level level)
{
    char path[] = "/tmp/tenon-bench-XXXXXX", beside[sizeof path + 4];
    tn_journal *journal;
    int file = mkstemp(path);

    if (file < 0)
        give_up("a file for the journal", path);
    close(file);
    must(tn_journal_open(path, NULL, &journal, NULL), "journal");
    calls("host.make(i)", count, journal, level);
    tn_journal_free(journal);
    (void)unlink(path);
    (void)snprintf(beside, sizeof beside, "%s-wal", path);
    (void)unlink(beside);
    (void)snprintf(beside, sizeof beside, "%s-shm", path);
    (void)unlink(beside);
}

static void calls_normal(unsigned long count, const char *argument)
{
    (void)argument;
    calls_written(count, TN_JOURNAL_NORMAL);
}

static void calls_durable(unsigned long count, const char *argument)
{
    (void)argument;
    calls_written(count, TN_JOURNAL_DURABLE);
}

/* ---- realms on several threads ---- */

typedef struct Worker {
    pthread_t thread;
    unsigned long count;
    tn_program *program;
} Worker;

static void *work(void *argument)
{
    const Worker *worker = argument;

    for (unsigned long i = 0; i < worker->count; i++)
        run_once(worker->program, NULL);
    return NULL;
}

static void on_threads(unsigned threads, unsigned long count, const char *path)
{
    Worker workers[2];
    tn_program *program = compile_file(path);
    Elapsed elapsed = {0};

    elapsed_begin(&elapsed);
    for (unsigned i = 0; i < threads; i++) {
        workers[i] = (Worker){.count = count / threads, .program = program};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            give_up("thread", "cannot be had");
    }
    for (unsigned i = 0; i < threads; i++)
        pthread_join(workers[i].thread, NULL);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    tn_program_free(program);
}

static void one_thread(unsigned long count, const char *path)
{
    on_threads(1, count, path);
}

static void two_threads(unsigned long count, const char *path)
{
    on_threads(2, count, path);
}

/* ---- memory of realms that stay ---- */

static void memory_now(double *out_rss_kib, double *out_pss_kib)
{
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];

    if (!file)
        give_up("/proc/self/smaps_rollup", "cannot be read");
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "Rss:", 4) == 0)
            *out_rss_kib = strtod(line + 4, NULL);
        else if (strncmp(line, "Pss:", 4) == 0)
            *out_pss_kib = strtod(line + 4, NULL);
    }
    fclose(file);
}

static tn_run *start_and_keep(tn_program *program)
{
    tn_run_state state = TN_RUN_READY;
    tn_run *run;

    must(tn_run_start(program, NULL, &run), "run");
    while (state != TN_RUN_DONE)
        must(tn_run_step(run, &state), "step");
    return run;
}

/* Runs that are done and kept, to be called again: their realms are idle. */
static void memory(unsigned long count, const char *path)
{
    tn_program *program = compile_file(path);
    tn_run **runs = calloc(count, sizeof *runs);
    double rss_before = 0, pss_before = 0, rss = 0, pss = 0;

    if (!runs)
        give_up("memory", "none");
    run_once(program, NULL);
    memory_now(&rss_before, &pss_before);
    for (unsigned long i = 0; i < count; i++)
        runs[i] = start_and_keep(program);
    memory_now(&rss, &pss);
    answer_two((rss - rss_before) * 1024, (pss - pss_before) * 1024);
    for (unsigned long i = 0; i < count; i++)
        tn_run_free(runs[i]);
    free(runs);
    tn_program_free(program);
}

/* ---- stopping ---- */

enum { STOP_AFTER_MS = 100 };

/* How long past its deadline does a program that never ends go on? Nanoseconds. */
static void stop(unsigned long count, const char *text)
{
    tn_program *program = compile(text, strlen(text));
    tn_run_options options = TN_INIT(tn_run_options);
    double past = 0;

    options.limits.wall_ms = STOP_AFTER_MS;
    for (unsigned long i = 0; i < count; i++) {
        tn_outcome *outcome;
        uint64_t start = now_ns();
        must(tn_run_program(program, &options, &outcome), "run");
        past += (double)(now_ns() - start) - (double)STOP_AFTER_MS * 1e6;
        if (tn_outcome_status_of(outcome) != TN_OUTCOME_LIMIT)
            give_up("stop", tn_outcome_status_text(tn_outcome_status_of(outcome)));
        tn_outcome_free(outcome);
    }
    answer_two(past, past);
    tn_program_free(program);
}

int main(void)
{
    static const Case cases[] = {
        {"check", check_value},
        {"fresh-text", fresh_text},
        {"fresh-compiled", fresh_compiled},
        {"speed", speed},
        {"calls-sync", calls_sync},
        {"calls-async", calls_async},
        {"calls-normal", calls_normal},
        {"calls-durable", calls_durable},
        {"threads-1", one_thread},
        {"threads-2", two_threads},
        {"memory", memory},
        {"stop", stop},
    };

    serve(cases, sizeof cases / sizeof *cases);
    return 0;
}
