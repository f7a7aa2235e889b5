/*
 * Ten thousand runs, of programs that end in every way there is: the process is as large afterwards
 * as before, has as many descriptors and mappings, and no run was wrong.
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "../api/try.h"

typedef struct Size {
    size_t resident, mappings, descriptors;
} Size;

static size_t count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t lines = 0;
    int c;

    if (!file)
        return 0;
    while ((c = getc(file)) != EOF)
        lines += c == '\n';
    (void)fclose(file);
    return lines;
}

static size_t count_entries(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;

    if (!folder)
        return 0;
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count;
}

static Size measure(void)
{
    Size size = {0};
    unsigned long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file) {
        if (fscanf(file, "%lu %lu", &all, &resident) == 2)
            size.resident = resident * 4096;
        (void)fclose(file);
    }
    size.mappings = count_lines("/proc/self/maps");
    size.descriptors = count_entries("/proc/self/fd");
    return size;
}

static void check_growth(Size before)
{
    Size after = measure();

    CHECK_SAY(CHECK_ASAN || after.resident <= before.resident + (1 << 20),
              "resident: %zu before, %zu after", before.resident, after.resident);
    CHECK_SAY(CHECK_ASAN || after.mappings <= before.mappings + 4, "%zu mappings before, %zu after",
              before.mappings, after.mappings);
    CHECK_SAY(after.descriptors == before.descriptors, "%zu descriptors before, %zu after",
              before.descriptors, after.descriptors);
}

/* ---- the programs ---- */

static void double_it(void *user, tn_call *call)
{
    (void)user;
    tn_put_number(tn_call_result(call), 2 * tn_value_number(tn_call_argument(call, 0)));
}

static void fails(void *user, tn_call *call)
{
    (void)user;
    tn_call_fail(call, "ENO", "no", false);
}

static void later(void *user, tn_call *call)
{
    (void)user;
    if (tn_call_defer(call) != TN_OK)
        return;
    tn_put_int(tn_call_result(call), 1);
    tn_call_finish(call);
}

/* Realms are kept by processor: on one of them their number is soon what it stays. */
static void stay_here(void)
{
    cpu_set_t here;
    int cpu = sched_getcpu();

    CPU_ZERO(&here);
    CPU_SET((size_t)(cpu < 0 ? 0 : cpu), &here);
    (void)sched_setaffinity(0, sizeof here, &here);
}

static void add_functions(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.double", double_it, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.fails", fails, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.later", later, NULL, 0) == TN_OK);
}

static const struct {
    const char *text;
    const char *json; /* NULL: it fails */
} programs[] = {
    {"1 + 1", "2"},
    {"let s = 0; for (let i = 0; i < 1000; i++) s += i; s", "499500"},
    {"console.log('x'.repeat(1000), { a: [1] }); h.double(21)", "42"},
    {"await h.later() + await new Promise((yes) => setTimeout(yes, 0, 2))", "3"},
    {"throw new Error('e', { cause: [1] })", NULL},
    {"null.x", NULL},
    {"await h.fails()", NULL},
    {"let a = (;", NULL},
    {"new Uint8Array(300000).fill(1).lastIndexOf(1)", "299999"},
    {"const m = new Map(); for (let i = 0; i < 300; i++) m.set('k' + i, { i }); m.size", "300"},
    {"h.fails(); Promise.reject(1); 'ab'.replace(/(a)(b)/, '$2$1')", "\"ba\""},
    {"await new Promise(() => {})", NULL},
    {"JSON.parse(JSON.stringify([...Array(200).keys()])).length", "200"},
    {"globalThis.k = 1; Array.prototype.x = 2; Object.prototype.y = 3; 5", "5"},
};

enum { PROGRAMS = sizeof programs / sizeof *programs };

static bool run_one(tn_engine *engine, size_t i)
{
    tn_program *program = NULL;
    Try try = {0};
    bool right = false;

    if (tn_program_new(engine, programs[i].text, strlen(programs[i].text), NULL, &program) ==
            TN_OK &&
        tn_run_program(program, NULL, &try.outcome) == TN_OK)
        right = programs[i].json ? strcmp(try_json(&try), programs[i].json) == 0
                                 : try_status(&try) == TN_OUTCOME_FAILED ||
                                       try_status(&try) == TN_OUTCOME_REFUSED;
    try_clear(&try);
    tn_program_free(program);
    if (!right)
        (void)fprintf(stderr, "    wrong: %s\n", programs[i].text);
    return right;
}

static void many(tn_bounds bounds, int count)
{
    Try try = {.bounds = bounds, .setup = add_functions};
    int wrong = 0;
    Size before;

    if (!try_engine(&try))
        return;
    for (size_t i = 0; i < 20 * (size_t)PROGRAMS; i++)
        wrong += !run_one(try.engine, i % PROGRAMS);
    before = measure();
    for (int i = 0; i < count; i++)
        wrong += !run_one(try.engine, (size_t)i % PROGRAMS);
    CHECK(wrong == 0);
    check_growth(before);
    try_end(&try);
}

static void ten_thousand_runs(void)
{
    many(TN_BOUNDS_GUARD, CHECK_ASAN ? 2000 : 10000);
}

static void runs_checked(void)
{
    many(TN_BOUNDS_CHECKED, CHECK_ASAN ? 1000 : 3000);
}

/* Programs compiled once, run often. */
static void compiled_once(void)
{
    Try try = {.setup = add_functions};
    tn_program *all[PROGRAMS] = {0};
    int wrong = 0;
    Size before = {0};

    if (!try_engine(&try))
        return;
    for (size_t i = 0; i < PROGRAMS; i++)
        CHECK(tn_program_new(try.engine, programs[i].text, strlen(programs[i].text), NULL,
                             &all[i]) == TN_OK);
    for (int i = 0; i < (CHECK_ASAN ? 2000 : 10000); i++) {
        size_t which = (size_t)i % PROGRAMS;
        if (i == 20 * PROGRAMS)
            before = measure();
        if (!CHECK(tn_run_program(all[which], NULL, &try.outcome) == TN_OK))
            break;
        wrong += programs[which].json && strcmp(try_json(&try), programs[which].json) != 0;
        tn_outcome_free(try.outcome);
        try.outcome = NULL;
    }
    CHECK(wrong == 0);
    check_growth(before);
    for (size_t i = 0; i < PROGRAMS; i++)
        tn_program_free(all[i]);
    try_end(&try);
}

/* Large realms come and go: what they took is given back. */
static void large_ones(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .wall_ms = 5000}};
    Size before = {0};

    for (int i = 0; i < 16; i++) {
        if (i == 4)
            before = measure();
        CHECK(try_gives(&try,
                        "const a = []; for (let i = 0; i < 40; i++) "
                        "a.push(new Uint8Array(1 << 20).fill(i)); a.length",
                        "40"));
        try_run(&try, "const a = []; for (;;) a.push(new Uint8Array(1 << 20));");
        CHECK(try_is_limit(&try, "memory"));
    }
    check_growth(before);
    try_end(&try);
}

static void *engine_in_a_thread(void *unused)
{
    Try try = {.setup = add_functions};
    (void)unused;

    for (size_t i = 0; i < PROGRAMS && try_engine(&try); i++)
        CHECK(run_one(try.engine, i));
    try_end(&try);
    return NULL;
}

/* Engines and threads come and go. */
static void threads_and_engines(void)
{
    Size before = {0};

    for (int i = 0; i < 40; i++) {
        pthread_t thread;
        if (i == 10)
            before = measure();
        if (CHECK(pthread_create(&thread, NULL, engine_in_a_thread, NULL) == 0))
            pthread_join(thread, NULL);
    }
    check_growth(before);
}

int main(int argc, char **argv)
{
    stay_here();
    return RUN(argc, argv, {"ten thousand runs", ten_thousand_runs},
               {"three thousand runs, checked", runs_checked}, {"compiled once", compiled_once},
               {"large ones", large_ones}, {"threads and engines", threads_and_engines});
}
