/* Calls of an MCP server's tool from a program, and of a function in this process; a server of a
 * thousand tools, from its start to the engine that has its types, and searched.
 *
 *     mcp NODE EVERYTHING CATALOGUE MODULES
 *
 * The same servers as clients.mjs speaks to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon.h>

#include "server.h"

enum { FLIGHT = 32 };

static const char *node, *everything, *catalogue, *modules;

static void must(tn_status status, const char *what)
{
    if (status != TN_OK)
        give_up(what, tn_status_text(status));
}

static void echo(void *user, tn_call *call)
{
    (void)user;
    tn_put_value(tn_call_result(call), tn_value_member(tn_call_argument(call, 0), "message"));
}

static tn_engine *new_engine(void)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_engine *engine = NULL;

    options.checker = TN_CHECKER_NONE;
    must(tn_engine_new(&options, &engine), "tn_engine_new");
    return engine;
}

static void add_server(tn_engine *engine, const char *package, const char *const *arguments)
{
    static char path[8192];
    const char *const environment[] = {path, NULL};
    tn_mcp_server server = TN_INIT(tn_mcp_server);

    snprintf(path, sizeof path, "PATH=%s", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
    server.command = node;
    server.arguments = arguments;
    server.environment = environment;
    must(tn_engine_add_mcp(engine, package, &server), "tn_engine_add_mcp");
}

static void open_engine(tn_engine *engine)
{
    must(tn_engine_open(engine), "tn_engine_open");
    if (tn_engine_problem_count(engine) > 0)
        give_up("a server", tn_engine_problem(engine, 0));
}

/* ---- calls ---- */

static tn_engine *calling_engine(void)
{
    static tn_engine *engine;
    const char *const arguments[] = {everything, "stdio", NULL};

    if (!engine) {
        engine = new_engine();
        must(tn_engine_add_function(engine, "inside.echo", echo, NULL, TN_FUNCTION_READ_ONLY),
             "tn_engine_add_function");
        add_server(engine, "everything", arguments);
        open_engine(engine);
    }
    return engine;
}

static tn_outcome *run_to_end(tn_program *program)
{
    tn_run_options options = TN_INIT(tn_run_options);
    tn_run_state state = TN_RUN_READY;
    tn_outcome *outcome;
    tn_run *run;

    options.limits = (tn_limits)TN_INIT(tn_limits);
    options.limits.calls = 1u << 30;
    options.limits.wall_ms = options.limits.cpu_ms = 600000;
    must(tn_run_start(program, &options, &run), "tn_run_start");
    while (state != TN_RUN_DONE) {
        must(tn_run_step(run, &state), "tn_run_step");
        if (state == TN_RUN_WAITING)
            must(tn_run_wait(run, -1), "tn_run_wait");
    }
    must(tn_run_outcome(run, &outcome), "tn_run_outcome");
    tn_run_free(run);
    return outcome;
}

/* `count` calls, `flight` of them at a time. */
static void run_calls(const char *function, unsigned long count, unsigned flight)
{
    tn_program_options options = TN_INIT(tn_program_options);
    tn_program *program;
    tn_outcome *outcome;
    tn_engine *engine = calling_engine();
    Elapsed elapsed = {0, 0};
    char text[400];

    snprintf(
        text, sizeof text,
        "let left = %lu;\n"
        "const one = async () => { while (left-- > 0) { if (!String(await %s({ message: 'hello' }))"
        ".includes('hello')) throw new Error('not hello'); } };\n"
        "await Promise.all(Array.from({ length: %u }, one)); return 'done'",
        count, function, flight);
    must(tn_program_new(engine, text, strlen(text), &options, &program), "tn_program_new");
    elapsed_begin(&elapsed);
    outcome = run_to_end(program);
    elapsed_end(&elapsed);
    if (tn_outcome_status_of(outcome) != TN_OUTCOME_OK)
        give_up(function, tn_outcome_error(outcome)->message);
    tn_outcome_free(outcome);
    tn_program_free(program);
    answer_elapsed(&elapsed);
}

static void run_one(unsigned long count, const char *argument)
{
    (void)argument;
    run_calls("everything.echo", count, 1);
}

static void run_flight(unsigned long count, const char *argument)
{
    (void)argument;
    run_calls("everything.echo", count, FLIGHT);
}

static void run_inside(unsigned long count, const char *argument)
{
    (void)argument;
    run_calls("inside.echo", count, 1);
}

/* ---- a thousand tools ---- */

static tn_engine *catalogue_engine(void)
{
    const char *const arguments[] = {catalogue, modules, NULL};
    tn_engine *engine = new_engine();

    add_server(engine, "hub", arguments);
    open_engine(engine);
    return engine;
}

static void ask(tn_engine *engine, const char *query)
{
    char *text = NULL;
    size_t length;

    must(tn_engine_search(engine, query, 2000, NULL, &text, &length), "tn_engine_search");
    if (!strstr(text, "hub."))
        give_up("search", text);
    tn_text_free(text);
}

/* Started, listed, its schemas made types; and the first search, which makes the index. */
static void run_load(unsigned long count, const char *query)
{
    Elapsed elapsed = {0, 0};

    for (unsigned long i = 0; i < count; i++) {
        elapsed_begin(&elapsed);
        tn_engine *engine = catalogue_engine();
        if (query[0] != '\0')
            ask(engine, query);
        elapsed_end(&elapsed);
        tn_engine_free(engine);
    }
    answer_elapsed(&elapsed);
}

static void run_search(unsigned long count, const char *query)
{
    static tn_engine *engine;
    Elapsed elapsed = {0, 0};

    if (!engine) {
        engine = catalogue_engine();
        ask(engine, query);
    }
    elapsed_begin(&elapsed);
    for (unsigned long i = 0; i < count; i++)
        ask(engine, query);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
}

int main(int argc, char **argv)
{
    static const Case cases[] = {{"one", run_one},
                                 {"flight", run_flight},
                                 {"inside", run_inside},
                                 {"load", run_load},
                                 {"search", run_search}};

    if (argc != 5)
        give_up("usage", "mcp NODE EVERYTHING CATALOGUE MODULES");
    node = argv[1];
    everything = argv[2];
    catalogue = argv[3];
    modules = argv[4];
    serve(cases, sizeof cases / sizeof *cases);
}
