/*
 * A host in C (or C++): two functions for the program, one answered at once and one by another
 * thread; a run; its outcome.
 *
 *   cc embed.c $(pkg-config --cflags --libs tenon) -pthread -o embed
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <tenon.h>

/* text.length(string): answered before it returns. */
static void text_length(void *user, tn_call *call)
{
    size_t length = 0;
    (void)user;
    if (tn_value_text(tn_call_argument(call, 0), &length) == NULL)
        tn_call_fail(call, "EINVAL", "text.length wants a string", false);
    else
        tn_put_int(tn_call_result(call), (int64_t)length);
}

/* What a slow answer looks like: another thread writes it and hands it in. */
static void *look_up(void *argument)
{
    tn_call *call = (tn_call *)argument;
    tn_writer *result = tn_call_result(call);
    tn_put_object_begin(result);
    tn_put_key(result, "name");
    tn_put_string(result, "Ada");
    tn_put_key(result, "born");
    tn_put_int(result, 1815);
    tn_put_object_end(result);
    tn_call_finish(call);
    return NULL;
}

/* people.find(id): the program gets a promise, and goes on meanwhile. */
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

static const char text[] = "const person = await people.find(7);\n"
                           "console.log('found', person.name);\n"
                           "return { ...person, letters: text.length(person.name) };\n";

int main(void)
{
    tn_engine *engine = NULL;
    tn_program *program = NULL;
    tn_outcome *outcome = NULL;
    char *shown = NULL;
    size_t length = 0;

    bool done = tn_engine_new(NULL, &engine) == TN_OK &&
                tn_engine_add_function(engine, "text.length", text_length, NULL,
                                       TN_FUNCTION_SYNC) == TN_OK &&
                tn_engine_add_function(engine, "people.find", people_find, NULL, 0) == TN_OK &&
                tn_program_new(engine, text, strlen(text), NULL, &program) == TN_OK &&
                tn_run_program(program, NULL, &outcome) == TN_OK &&
                tn_outcome_text(outcome, TN_TEXT_PERSON, 0, &shown, &length) == TN_OK;
    bool ok = done && tn_outcome_status_of(outcome) == TN_OUTCOME_OK;

    puts(done ? shown : "the library could not do it");
    tn_text_free(shown);
    tn_outcome_free(outcome);
    tn_program_free(program);
    tn_engine_free(engine);
    return ok ? 0 : 1;
}
