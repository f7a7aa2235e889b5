/*
 * run-cases [--bounds guard|checked] [--wall MS] [--threads N] [--only WORD] FOLDER...
 *
 * Runs every case in the folders (*.js, *.ts, one folder deep) on one engine, some at a time. After
 * each: it ended within its deadline and a little, the outcome can be shown, its host calls are
 * over and stay over, the process is as small as before, and the next run on this thread is clean.
 * The last line is "N passed, N failed".
 *
 * TENON_TEST_SLACK_MS: how much later than the deadline a case may end, on a busy machine.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../api/check.h"
#include "case.h"
#include "expect.h"
#include "host.h"

enum {
    SLACK_MS = CHECK_ASAN ? 600 : 150,
    RSS_MARGIN = 48 << 20, /* above what it was before the first case, nothing running */
    WHY_SIZE = 4096
};

typedef struct Runner {
    tn_engine *engine;
    tn_bounds bounds;
    uint32_t wall_ms;
    unsigned threads;
    double slack_ms;
    const char *only;
    char **paths;
    size_t count, next; /* next: atomic */
    unsigned passed, failed;
    pthread_mutex_t print;
} Runner;

static size_t resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long all = 0, resident = 0;

    if (file) {
        if (fscanf(file, "%lu %lu", &all, &resident) != 2)
            resident = 0;
        (void)fclose(file);
    }
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void say(char *out_why, const char *format, double number)
{
    size_t length = strlen(out_why);

    (void)snprintf(out_why + length, WHY_SIZE - length, format, number);
}

/* ---- one run ---- */

static tn_limits limits_of(const Runner *runner, const Case *one, uint64_t memory)
{
    tn_limits limits = {.size = sizeof limits,
                        .wall_ms = runner->wall_ms,
                        .cpu_ms = 10000,
                        .memory_bytes = (uint64_t)64 << 20,
                        .calls = 1000,
                        .calls_open = 32,
                        .result_bytes = 1 << 20,
                        .console_bytes = 1 << 20,
                        .linger_ms = 1000};
#define OWN(field)                                                                                 \
    if (one->limits.field)                                                                         \
        limits.field = one->limits.field;
    OWN(wall_ms)
    OWN(cpu_ms)
    OWN(memory_bytes)
    OWN(calls)
    OWN(calls_open)
    OWN(argument_bytes)
    OWN(reply_bytes)
    OWN(result_bytes)
    OWN(console_bytes)
    OWN(depth)
    OWN(timers)
    OWN(linger_ms)
#undef OWN
    if (memory)
        limits.memory_bytes = memory;
    return limits;
}

static tn_status run_it(const Runner *runner, const Case *one, const tn_limits *limits,
                        Meter *meter, tn_outcome **out_outcome)
{
    tn_run_options options = TN_INIT(tn_run_options);
    tn_program *program = NULL;
    tn_writer *input = NULL;
    tn_status status = tn_program_new(runner->engine, one->text, one->length, NULL, &program);

    options.limits = *limits;
    options.context = meter;
    options.zone = one->zone;
    options.locale = one->locale;
    options.now_ms = one->now_ms;
    options.seed = one->seeded ? &one->seed : NULL;
    if (status == TN_OK && one->input) {
        status = tn_writer_new(&input);
        if (status == TN_OK)
            status = tn_put_json(input, one->input, strlen(one->input));
        if (status == TN_OK)
            options.input = tn_writer_value(input);
    }
    if (status == TN_OK)
        status = tn_run_program(program, &options, out_outcome);
    tn_writer_free(input);
    tn_program_free(program);
    return status;
}

/* The next run, on the same thread, knows nothing of the one before. */
static bool next_is_clean(const Runner *runner)
{
    static const char text[] = "if (Object.keys(globalThis).some((k) => globalThis[k] === 'left')) "
                               "return 3; return 1+1";
    tn_program *program = NULL;
    tn_outcome *outcome = NULL;
    int64_t two = 0;

    if (tn_program_new(runner->engine, text, sizeof text - 1, NULL, &program) == TN_OK &&
        tn_run_program(program, NULL, &outcome) == TN_OK &&
        tn_outcome_status_of(outcome) == TN_OUTCOME_OK)
        (void)tn_value_int(tn_outcome_value(outcome), &two);
    tn_outcome_free(outcome);
    tn_program_free(program);
    return two == 2;
}

/* No call is open any more, and none comes. */
static void check_calls(Meter *meter, const tn_limits *limits, char *why)
{
    unsigned calls = __atomic_load_n(&meter->calls, __ATOMIC_RELAXED);

    for (int i = 0; i < 100 && __atomic_load_n(&meter->open, __ATOMIC_RELAXED) > 0; i++)
        usleep(1000);
    if (meter->open > 0)
        say(why, "\n      %.0f calls are still open after the run", meter->open);
    if (calls > limits->calls)
        say(why, "\n      %.0f calls reached the host", calls);
    if (meter->most_open > limits->calls_open)
        say(why, "\n      %.0f calls were open at one time", meter->most_open);
    if (calls > 0) {
        usleep(5000);
        if (__atomic_load_n(&meter->calls, __ATOMIC_RELAXED) != calls)
            say(why, "\n      calls came after the end of the run%.0s", 0.0);
    }
}

static bool run_once(const Runner *runner, const Case *one, uint64_t memory, char *why)
{
    tn_limits limits = limits_of(runner, one, memory);
    Meter *meter = calloc(1, sizeof *meter);
    tn_outcome *outcome = NULL;
    double start_ms = check_now_ms();
    bool good = false;

    if (!meter || run_it(runner, one, &limits, meter, &outcome) != TN_OK) {
        say(why, "the library could not run it%.0s", 0.0);
    } else {
        Ending ending = {one, outcome, &limits, meter, check_now_ms() - start_ms};
        good = expect_holds(&ending, why, WHY_SIZE);
        good = expect_sound(&ending, why, WHY_SIZE) && good;
        if (ending.elapsed_ms > limits.wall_ms + runner->slack_ms)
            say(why, "\n      it ended after %.0f ms", ending.elapsed_ms);
        if (memory)
            say(why, why[0] ? "\n      with %.0f bytes of memory" : "", (double)memory);
        check_calls(meter, &limits, why);
    }
    tn_outcome_free(outcome);
    if (!next_is_clean(runner))
        say(why, "\n      the next run is not clean%.0s", 0.0);
    free(meter);
    return good && !why[0];
}

/* ---- all of them ---- */

static bool run_case(const Runner *runner, const Case *one, char *why)
{
    bool good = true;

    for (size_t m = 0; m == 0 || m < one->memory_count; m++) {
        for (unsigned i = 0; i < case_times(one) && good; i++)
            good = run_once(runner, one, one->memories[m], why);
    }
    return good;
}

static void *run_some(void *argument)
{
    Runner *runner = argument;
    char why[WHY_SIZE];
    size_t i;

    while ((i = __atomic_fetch_add(&runner->next, 1, __ATOMIC_RELAXED)) < runner->count) {
        Case *one = case_read(runner->paths[i]);
        double start_ms = check_now_ms();
        why[0] = 0;
        bool good = one && run_case(runner, one, why);
        pthread_mutex_lock(&runner->print);
        *(good ? &runner->passed : &runner->failed) += 1;
        (void)fprintf(stderr, "%-6s %-40s %8.1f ms\n", good ? "ok" : "FAILED",
                      one ? one->name : runner->paths[i], check_now_ms() - start_ms);
        if (!good)
            (void)fprintf(stderr, "    %s\n", why);
        pthread_mutex_unlock(&runner->print);
        case_free(one);
    }
    return NULL;
}

static void add_path(Runner *runner, const char *path)
{
    size_t length = strlen(path);
    bool is_case = length > 3 &&
                   (strcmp(path + length - 3, ".js") == 0 || strcmp(path + length - 3, ".ts") == 0);

    if (!is_case || (runner->only && !strstr(path, runner->only)))
        return;
    char **grown = realloc(runner->paths, (runner->count + 1) * sizeof *grown);
    if (!grown)
        abort();
    runner->paths = grown;
    runner->paths[runner->count++] = strdup(path);
}

static void add_folder(Runner *runner, const char *folder, int deeper)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    struct stat about;
    char path[4096];

    if (count < 0) {
        (void)fprintf(stderr, "%s: no such folder\n", folder);
        runner->failed++;
        return;
    }
    for (int i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && stat(path, &about) == 0) {
            if (S_ISDIR(about.st_mode) && deeper > 0)
                add_folder(runner, path, deeper - 1);
            else
                add_path(runner, path);
        }
        free(entries[i]);
    }
    free((void *)entries);
}

static void read_arguments(Runner *runner, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strncmp(argv[i], "--", 2) != 0) {
            add_folder(runner, argv[i], 1);
            continue;
        }
        if (strcmp(argv[i], "--bounds") == 0)
            runner->bounds = strcmp(value, "checked") == 0 ? TN_BOUNDS_CHECKED : TN_BOUNDS_GUARD;
        else if (strcmp(argv[i], "--wall") == 0)
            runner->wall_ms = (uint32_t)atoi(value);
        else if (strcmp(argv[i], "--threads") == 0)
            runner->threads = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--only") == 0)
            runner->only = value;
        i++;
    }
}

static bool open_engine(Runner *runner)
{
    tn_engine_options options = TN_INIT(tn_engine_options);

    options.bounds = runner->bounds;
    options.limits.size = sizeof options.limits;
    options.limits.wall_ms = runner->wall_ms; /* of compiling, too */
    return tn_engine_new(&options, &runner->engine) == TN_OK && host_add(runner->engine) == TN_OK &&
           next_is_clean(runner);
}

static void run_all(Runner *runner)
{
    pthread_t threads[16];
    unsigned started = 0;

    while (started < runner->threads && started < 16 &&
           pthread_create(&threads[started], NULL, run_some, runner) == 0)
        started++;
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (started == 0)
        run_some(runner);
}

int main(int argc, char **argv)
{
    const char *slack = getenv("TENON_TEST_SLACK_MS");
    Runner runner = {.wall_ms = 2000,
                     .threads = 2,
                     .print = PTHREAD_MUTEX_INITIALIZER,
                     .slack_ms = slack ? atof(slack) : (double)SLACK_MS};
    size_t before, after;

    read_arguments(&runner, argc, argv);
    host_start();
    if (!open_engine(&runner)) {
        (void)fprintf(stderr, "no engine\n");
        runner.failed++;
        runner.count = 0;
    }
    before = resident_bytes();
    run_all(&runner);
    after = resident_bytes();
    if (!CHECK_ASAN && after > before + RSS_MARGIN) {
        (void)fprintf(stderr, "FAILED the process grew by %zu bytes\n", after - before);
        runner.failed++;
    }
    tn_engine_free(runner.engine);
    host_stop();
    for (size_t i = 0; i < runner.count; i++)
        free(runner.paths[i]);
    free(runner.paths);
    (void)fflush(stderr);
    (void)printf("%u passed, %u failed\n", runner.passed, runner.failed);
    return runner.failed != 0 || runner.passed == 0;
}
