/* What an embedder pays for a program before it runs, by the public header: its types taken out
 * unchecked, and checked by the compiler that the engine keeps warm.
 *
 *   check COMPILER DECLARATIONS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"
#include "tenon.h"

enum { THREADS = 4 };

typedef struct Setting {
    const char *compiler;
    char *declarations;
    size_t declarations_length;
} Setting;

static Setting setting;

static void must(tn_status status, const char *what)
{
    if (status != TN_OK)
        give_up(what, tn_status_text(status));
}

static void nothing(void *user, tn_call *call)
{
    (void)user;
    (void)call;
}

static tn_engine *engine_new(void)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_engine *engine;

    options.compiler = setting.compiler;
    options.checker = TN_CHECKER_TSC;
    options.check_ms = 20000; /* a busy machine is no reason to stop */
    must(tn_engine_new(&options, &engine), "engine");
    must(tn_engine_add_function(engine, "github.listIssues", nothing, NULL, 0), "function");
    must(tn_engine_add_function(engine, "github.addLabel", nothing, NULL, 0), "function");
    must(tn_engine_add_declarations(engine, "github.d.ts", setting.declarations,
                                    setting.declarations_length),
         "declarations");
    return engine;
}

static tn_engine *the_engine(void)
{
    static tn_engine *engine;

    if (!engine)
        engine = engine_new();
    return engine;
}

static void make_one(tn_engine *engine, const char *text, size_t length, bool unchecked)
{
    tn_program_options options = TN_INIT(tn_program_options);
    tn_program *program;

    options.name = "program.ts";
    options.unchecked = unchecked;
    must(tn_program_new(engine, text, length, &options, &program), "program");
    if (!tn_program_ready(program) || tn_program_finding_count(program) > 0)
        give_up("program", tn_program_finding_count(program) > 0
                               ? tn_program_finding(program, 0)->message
                               : "is not ready");
    tn_program_free(program);
}

static void unchecked(unsigned long count, const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    Elapsed elapsed = {0};

    the_engine();
    elapsed_begin(&elapsed);
    for (unsigned long i = 0; i < count; i++)
        make_one(the_engine(), text, length, true);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    free(text);
}

/* ---- checked ---- */

typedef struct Worker {
    pthread_t thread;
    tn_engine *engine;
    const char *path;
    unsigned long count;
    unsigned number;
} Worker;

/* Each text is a new one, so that no answer can be an old one. */
static void *work(void *argument)
{
    const Worker *worker = argument;
    size_t length;
    char *text = read_file(worker->path, &length);
    char *changed = malloc(length + 64);

    if (!changed)
        give_up("memory", "none");
    for (unsigned long i = 0; i < worker->count; i++) {
        int bytes = snprintf(changed, length + 64, "%s// %u %lu %llu\n", text, worker->number, i,
                             (unsigned long long)now_ns());
        make_one(worker->engine, changed, (size_t)bytes, false);
    }
    free(changed);
    free(text);
    return NULL;
}

static void checked(unsigned long count, const char *path)
{
    Worker worker = {.engine = the_engine(), .path = path, .count = count};
    Elapsed elapsed = {0};

    elapsed_begin(&elapsed);
    work(&worker);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
}

/* An engine's first program: the compiler is started and reads its library. */
static void first(unsigned long count, const char *path)
{
    Elapsed elapsed = {0};

    for (unsigned long i = 0; i < count; i++) {
        Worker worker = {.path = path, .count = 1};
        elapsed_begin(&elapsed);
        worker.engine = engine_new();
        work(&worker);
        elapsed_end(&elapsed);
        tn_engine_free(worker.engine);
    }
    answer_elapsed(&elapsed);
}

/* `count` rounds of four checks that begin together. */
static void four(unsigned long count, const char *path)
{
    Worker workers[THREADS];
    Elapsed elapsed = {0};

    elapsed_begin(&elapsed);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.engine = the_engine(), .path = path, .count = count, .number = i};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            give_up("thread", "cannot be had");
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
}

int main(int argc, char **argv)
{
    static const Case cases[] = {
        {"unchecked", unchecked},
        {"checked", checked},
        {"first", first},
        {"four", four},
    };

    if (argc != 3)
        give_up("check", "wants a compiler and a file of declarations");
    setting.compiler = argv[1];
    setting.declarations = read_file(argv[2], &setting.declarations_length);
    serve(cases, sizeof cases / sizeof *cases);
    return 0;
}
