/* A program being checked and run, on a thread of its own. */
#include "inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct Job {
    Request request; /* a copy of what was asked */
    tn_run *run;     /* under the lock: what to cancel; NULL while the program is checked */
    bool cancelled;
    unsigned ticks;
    unsigned number;
    Job *next;
};

/* How often a client is told that it still goes on: the known ones give up after a minute. */
enum { PROGRESS_S = 5 };

/* ---- the list ---- */

/* False: too many are there already. */
static bool enlist(Job *job)
{
    enum { WAITING_MOST = 256 };
    Door *door = job->request.door;
    bool room;

    pthread_mutex_lock(&door->lock);
    room = door->job_count < WAITING_MOST;
    if (room) {
        job->number = ++door->runs;
        job->next = door->jobs;
        door->jobs = job;
        door->job_count++;
    }
    pthread_mutex_unlock(&door->lock);
    return room;
}

static void delist(Job *job)
{
    Door *door = job->request.door;

    pthread_mutex_lock(&door->lock);
    for (Job **link = &door->jobs; *link; link = &(*link)->next) {
        if (*link == job) {
            *link = job->next;
            break;
        }
    }
    door->job_count--;
    pthread_cond_broadcast(&door->changed);
    pthread_mutex_unlock(&door->lock);
}

/* Wait until it is its turn. */
static void begin_work(Job *job)
{
    Door *door = job->request.door;

    pthread_mutex_lock(&door->lock);
    while (door->working >= door->options.jobs && !job->cancelled)
        pthread_cond_wait(&door->changed, &door->lock);
    door->working++;
    pthread_mutex_unlock(&door->lock);
}

static void end_work(Job *job)
{
    pthread_mutex_lock(&job->request.door->lock);
    job->request.door->working--;
    pthread_mutex_unlock(&job->request.door->lock);
}

static bool same_id(tn_value a, tn_value b)
{
    size_t length_a, length_b;
    const char *text_a = tn_value_text(a, &length_a), *text_b = tn_value_text(b, &length_b);
    int64_t number_a, number_b;

    if (text_a && text_b)
        return length_a == length_b && memcmp(text_a, text_b, length_a) == 0;
    return tn_value_int(a, &number_a) && tn_value_int(b, &number_b) && number_a == number_b;
}

static void cancel(Job *job)
{
    job->cancelled = true;
    if (job->run)
        tn_run_cancel(job->run);
}

void job_cancel(Door *door, tn_value id)
{
    pthread_mutex_lock(&door->lock);
    for (Job *job = door->jobs; job; job = job->next) {
        if (same_id(job->request.id, id))
            cancel(job);
    }
    pthread_cond_broadcast(&door->changed);
    pthread_mutex_unlock(&door->lock);
}

void jobs_end(Door *door)
{
    pthread_mutex_lock(&door->lock);
    door->closing = true;
    for (Job *job = door->jobs; job; job = job->next)
        cancel(job);
    pthread_cond_broadcast(&door->changed);
    while (door->job_count > 0)
        pthread_cond_wait(&door->changed, &door->lock);
    pthread_mutex_unlock(&door->lock);
}

/* ---- that it goes on ---- */

static void tell_progress(Job *job)
{
    tn_value token = tn_value_member(job->request.meta, "progressToken");
    tn_writer *writer;

    if (tn_value_type(token) == TN_TYPE_NONE)
        return;
    writer = notification_begin("notifications/progress");
    if (writer) {
        tn_put_key(writer, "progressToken");
        tn_put_value(writer, token);
        tn_put_key(writer, "progress");
        tn_put_int(writer, ++job->ticks);
        put_text(writer, "message", "the program is running");
    }
    notification_end(job->request.door, writer);
}

void *jobs_watch(void *argument)
{
    Door *door = argument;
    struct timespec next;

    clock_gettime(CLOCK_REALTIME, &next);
    pthread_mutex_lock(&door->lock);
    while (!door->closing) {
        next.tv_sec += PROGRESS_S;
        while (!door->closing &&
               pthread_cond_timedwait(&door->changed, &door->lock, &next) != ETIMEDOUT) {
        }
        for (Job *job = door->jobs; job && !door->closing; job = job->next) {
            if (!job->cancelled)
                tell_progress(job);
        }
    }
    pthread_mutex_unlock(&door->lock);
    return NULL;
}

/* ---- the answer ---- */

static bool was_cancelled(Job *job)
{
    pthread_mutex_lock(&job->request.door->lock);
    bool cancelled = job->cancelled;
    pthread_mutex_unlock(&job->request.door->lock);
    return cancelled;
}

/* The outcome as structured content: whole if it is short, else without its value, which is kept.
 */
static void put_structured(Job *job, tn_writer *writer, const tn_outcome *outcome)
{
    enum { WHOLE_BYTES = 20000 };
    tn_value value = tn_outcome_value(outcome);
    char *json = NULL, uri[64];
    size_t length = 0;

    tn_put_key(writer, "structuredContent");
    if (tn_outcome_json(outcome, &json, &length) == TN_OK && length <= WHOLE_BYTES &&
        tn_put_json(writer, json, length) == TN_OK) {
        tn_text_free(json);
        return;
    }
    tn_text_free(json);
    tn_put_object_begin(writer);
    put_text(writer, "status", tn_outcome_status_text(tn_outcome_status_of(outcome)));
    if (tn_value_type(value) != TN_TYPE_NONE && tn_value_json(value, &json, &length) == TN_OK) {
        keep_value(job->request.door, job->number, json, length);
        (void)snprintf(uri, sizeof uri, "tenon://run/%u/value", job->number);
        put_text(writer, "valueUri", uri);
        tn_put_key(writer, "valueBytes");
        tn_put_int(writer, (int64_t)length);
        tn_text_free(json);
    }
    tn_put_object_end(writer);
}

static unsigned tokens_of(const Job *job)
{
    int64_t tokens = 0;
    tn_value arguments = tn_value_member(job->request.params, "arguments");

    if (tn_value_int(tn_value_member(arguments, "tokens"), &tokens) && tokens > 0)
        return tokens > 20000 ? 20000 : (unsigned)tokens;
    return job->request.door->options.tokens;
}

static void answer_outcome(Job *job, const tn_outcome *outcome)
{
    char *text = NULL;
    size_t length = 0;
    tn_writer *writer = NULL;

    if (tn_outcome_text(outcome, TN_TEXT_MODEL, tokens_of(job), &text, &length) == TN_OK)
        writer = tool_answer_begin(&job->request, text, length,
                                   tn_outcome_status_of(outcome) != TN_OUTCOME_OK);
    if (writer)
        put_structured(job, writer, outcome);
    result_end(&job->request, writer);
    tn_text_free(text);
}

static void answer_failure(Job *job, tn_status status)
{
    const char *text = tn_status_text(status);

    result_end(&job->request, tool_answer_begin(&job->request, text, strlen(text), true));
}

/* ---- the run ---- */

/* Make the run known to who may cancel it. */
static void publish(Job *job, tn_run *run)
{
    Door *door = job->request.door;

    pthread_mutex_lock(&door->lock);
    job->run = run;
    if (run && job->cancelled)
        tn_run_cancel(run);
    pthread_mutex_unlock(&door->lock);
}

static tn_status drive(Job *job, tn_run *run, tn_outcome **out_outcome)
{
    tn_run_state state = TN_RUN_READY;
    tn_status status = TN_OK;

    publish(job, run);
    while (status == TN_OK && state != TN_RUN_DONE) {
        status = tn_run_step(run, &state);
        if (status == TN_OK && state == TN_RUN_WAITING)
            status = tn_run_wait(run, -1);
    }
    publish(job, NULL);
    return status == TN_OK ? tn_run_outcome(run, out_outcome) : status;
}

static tn_run_options options_of(const Job *job, tn_value arguments)
{
    tn_run_options options = TN_INIT(tn_run_options);
    tn_value input = tn_value_member(arguments, "input");
    uint32_t most = job->request.door->options.limits.wall_ms;
    int64_t wall_ms = 0;

    options.limits = job->request.door->options.limits;
    options.policy = job->request.door->options.policy;
    if (tn_value_type(input) == TN_TYPE_OBJECT)
        options.input = input;
    if (tn_value_int(tn_value_member(arguments, "wallMs"), &wall_ms) && wall_ms > 0 &&
        (most == 0 || wall_ms < most))
        options.limits.wall_ms = wall_ms < 3600000 ? (uint32_t)wall_ms : 3600000;
    return options;
}

static char *copy_text(const char *text, size_t length)
{
    return text && !memchr(text, '\0', length) ? strndup(text, length) : NULL;
}

/* The names an input brings, so that the check knows them. */
static tn_input_type *inputs_of(tn_value input, size_t *out_count)
{
    tn_input_type *inputs = calloc(tn_value_count(input) + 1, sizeof *inputs);
    size_t count = 0;

    for (tn_cursor cursor = {0}; inputs && tn_value_next(input, &cursor);) {
        size_t length;
        const char *key = tn_value_text(cursor.key, &length);
        char *name = copy_text(key, length);
        if (name)
            inputs[count++] = (tn_input_type){.name = name, .example = cursor.value};
    }
    *out_count = count;
    return inputs;
}

static void free_inputs(tn_input_type *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)inputs[i].name);
    free(inputs);
}

static tn_status compile(const Job *job, tn_value arguments, tn_program **out_program)
{
    tn_program_options options = TN_INIT(tn_program_options);
    tn_value input = tn_value_member(arguments, "input");
    size_t length, expect_length, language_length;
    const char *code = member_text(arguments, "code", &length);
    const char *language = member_text(arguments, "language", &language_length);
    char *expect = copy_text(member_text(arguments, "expect", &expect_length), expect_length);
    tn_input_type *inputs = inputs_of(input, &options.input_count);
    tn_status status;

    options.name = text_is(language, language_length, "javascript") ? "program.js" : "program.ts";
    options.expect = expect;
    options.inputs = inputs;
    status = tn_program_new(job->request.door->engine, code, length, &options, out_program);
    free_inputs(inputs, options.input_count);
    free(expect);
    return status;
}

static void *work(void *argument)
{
    Job *job = argument;
    tn_value arguments = tn_value_member(job->request.params, "arguments");
    tn_run_options options = options_of(job, arguments);
    tn_program *program = NULL;
    tn_run *run = NULL;
    tn_outcome *outcome = NULL;
    tn_status status;

    begin_work(job);
    status = compile(job, arguments, &program);
    if (status == TN_OK)
        status = tn_run_start(program, &options, &run);
    if (status == TN_OK)
        status = drive(job, run, &outcome);
    /* who has cancelled waits for nothing more */
    if (!was_cancelled(job)) {
        if (status == TN_OK)
            answer_outcome(job, outcome);
        else
            answer_failure(job, status);
    }
    tn_outcome_free(outcome);
    tn_run_free(run);
    tn_program_free(program);
    end_work(job);
    delist(job);
    request_free(&job->request);
    free(job);
    return NULL;
}

static void refuse(const Request *request, const char *text)
{
    result_end(request, tool_answer_begin(request, text, strlen(text), true));
}

void job_begin(Request *request, tn_value arguments)
{
    size_t length;
    pthread_attr_t attributes;
    pthread_t thread;
    Job *job;

    if (!member_text(arguments, "code", &length)) {
        refuse(request, "the argument `code` is the text of the program, and is missing");
        return;
    }
    job = calloc(1, sizeof *job);
    if (!job || !request_copy(request, &job->request)) {
        free(job);
        refuse(request, "out of memory");
        return;
    }
    if (!enlist(job)) {
        refuse(request, "too many programs wait already: ask again when some have ended");
        request_free(&job->request);
        free(job);
        return;
    }
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, work, job) != 0) {
        refuse(request, "no thread can be started for it");
        delist(job);
        request_free(&job->request);
        free(job);
    }
    pthread_attr_destroy(&attributes);
}
