/*
 * A host in C (or C++): one function answered at once, one by another thread, declared in
 * TypeScript, so that no call with other arguments reaches them; a run; its outcome.
 *
 *   cc embed.c $(pkg-config --cflags --libs tenon) -pthread -o embed
 */
#include <pthread.h>
#include <stdio.h>
#include <tenon.h>

/* text.bytes(string): answered before it returns. */
static void text_bytes(void *user, tn_call *call)
{
    size_t length = 0;
    (void)user;
    (void)tn_value_text(tn_call_argument(call, 0), &length); /* a string, by its declaration */
    tn_put_int(tn_call_result(call), (int64_t)length);
}

/* A slow answer: another thread writes it and hands it in. */
static void *look_up(void *call)
{
    tn_put_string(tn_call_result((tn_call *)call), "Ada");
    tn_call_finish((tn_call *)call);
    return NULL;
}

/* people.find(id): the program gets a promise and goes on meanwhile. */
static void people_find(void *user, tn_call *call)
{
    pthread_t thread;
    (void)user;
    if (tn_call_defer(call) != TN_OK)
        return;
    if (pthread_create(&thread, NULL, look_up, call) == 0) {
        pthread_detach(thread);
        return;
    }
    tn_call_fail(call, "EAGAIN", "no thread to look it up", true);
    tn_call_finish(call);
}

static const char declared[] = "declare namespace text { function bytes(text: string): number }\n"
                               "declare namespace people {\n"
                               "  function find(id: number): Promise<string>\n"
                               "}\n";

static const char text[] = "const name = await people.find(7);\n"
                           "console.log('found', name);\n"
                           "return { name, bytes: text.bytes(name) };\n";

int main(void)
{
    tn_engine *engine = NULL;
    tn_program *program = NULL;
    tn_outcome *outcome = NULL;
    char *shown = NULL;
    size_t length = 0;
    tn_run_options options = TN_INIT(tn_run_options);
    options.limits.wall_ms = 5000;

    if (tn_engine_new(NULL, &engine) == TN_OK &&
        tn_engine_add_function(engine, "text.bytes", text_bytes, NULL, TN_FUNCTION_SYNC) == TN_OK &&
        tn_engine_add_function(engine, "people.find", people_find, NULL, 0) == TN_OK &&
        tn_engine_add_declarations(engine, "host.d.ts", declared, sizeof declared - 1) == TN_OK &&
        tn_program_new(engine, text, sizeof text - 1, NULL, &program) == TN_OK &&
        tn_run_program(program, &options, &outcome) == TN_OK &&
        tn_outcome_text(outcome, TN_TEXT_PERSON, 0, &shown, &length) == TN_OK)
        puts(shown);
    int failed = outcome == NULL || tn_outcome_status_of(outcome) != TN_OUTCOME_OK;
    tn_text_free(shown);
    tn_outcome_free(outcome);
    tn_program_free(program);
    tn_engine_free(engine);
    return failed;
}
