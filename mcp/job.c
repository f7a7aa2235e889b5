/* A program being checked and run, on a thread of its own. */
#include "inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How often a client is told that it still goes on: the known ones give up after a minute. And how
 * long one may think about a question. */
enum { PROGRESS_S = 5, PARKED_MOST_S = 600 };

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

/* One that is not in the list. */
static void job_free(Job *job)
{
    request_free(&job->request);
    request_free(&job->reply);
    tn_writer_free(job->input);
    while (job->keys) {
        Key *next = job->keys->next;
        free(job->keys);
        job->keys = next;
    }
    free(job);
}

/* The last use of the door, and of the job. */
static void job_end(Job *job)
{
    Door *door = job->request.door;

    ask_drop(job);

    pthread_mutex_lock(&door->lock);
    for (Job **link = &door->jobs; *link; link = &(*link)->next) {
        if (*link == job) {
            *link = job->next;
            break;
        }
    }
    pthread_mutex_unlock(&door->lock);
    job_free(job);
    pthread_mutex_lock(&door->lock);
    door->job_count--;
    pthread_cond_broadcast(&door->changed);
    pthread_mutex_unlock(&door->lock);
}

/* Wait until it is its turn. */
static void begin_work(Job *job)
{
    Door *door = job->request.door;

    pthread_mutex_lock(&door->lock);
    while ((door->state == DOOR_CLOSED || door->working >= door->options.jobs) && !job->cancelled)
        pthread_cond_wait(&door->changed, &door->lock);
    door->working++;
    pthread_mutex_unlock(&door->lock);
}

static void end_work(Job *job)
{
    Door *door = job->request.door;

    pthread_mutex_lock(&door->lock);
    if (!job->parked)
        door->working--;
    pthread_mutex_unlock(&door->lock);
}

bool same_id(tn_value a, tn_value b)
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

/* `fits` says which; under the lock. */
static void cancel_those(Door *door, bool (*fits)(const Job *job, const void *what),
                         const void *what)
{
    pthread_mutex_lock(&door->lock);
    for (Job *job = door->jobs; job; job = job->next) {
        if (fits(job, what))
            cancel(job);
    }
    pthread_cond_broadcast(&door->changed);
    pthread_mutex_unlock(&door->lock);
}

typedef struct Named {
    const Peer *peer;
    tn_value id;
} Named;

static bool is_named(const Job *job, const void *what)
{
    const Named *named = what;

    return !job->parked && job->reply.sink->peer == named->peer &&
           same_id(job->reply.id, named->id);
}

static bool is_for(const Job *job, const void *sink)
{
    return !job->parked && job->reply.sink == sink;
}

static bool is_of(const Job *job, const void *peer)
{
    return job->reply.sink->peer == peer;
}

void job_cancel(const Request *request, tn_value id)
{
    cancel_those(request->door, is_named, &(Named){request->sink->peer, id});
}

void jobs_leave(Door *door, const Sink *sink)
{
    cancel_those(door, is_for, sink);
}

void jobs_forget(Door *door, const Peer *peer)
{
    cancel_those(door, is_of, peer);
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
    tn_value token = tn_value_member(job->reply.meta, "progressToken");
    tn_writer *writer;

    if (tn_value_type(token) == TN_TYPE_NONE)
        return;
    writer = notification_begin("notifications/progress");
    if (writer) {
        tn_put_key(writer, "progressToken");
        tn_put_value(writer, token);
        /* a program's own words of progress go on from where this leaves off */
        job->told = job->told < 0 ? !job->item : job->told + (job->item ? 0.001 : 1);
        tn_put_key(writer, "progress");
        tn_put_number(writer, job->told);
        put_text(writer, "message", "the program is running");
    }
    notification_end(job->reply.sink, writer);
}

static void look_after(Job *job, time_t now)
{
    if (job->parked && now - job->parked_at > PARKED_MOST_S)
        cancel(job);
    else if (!job->cancelled && !job->answered && !job->parked)
        tell_progress(job);
}

void *jobs_watch(void *argument)
{
    Door *door = argument;
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&door->lock);
    while (!door->closing) {
        next.tv_sec += PROGRESS_S;
        while (!door->closing &&
               pthread_cond_timedwait(&door->changed, &door->lock, &next) != ETIMEDOUT) {
        }
        for (Job *job = door->jobs; job && !door->closing; job = job->next)
            look_after(job, next.tv_sec);
        door_engine_look(door);
        pthread_cond_broadcast(&door->changed);
    }
    pthread_mutex_unlock(&door->lock);
    return NULL;
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

static void post_questions(Job *job)
{
    pthread_mutex_lock(&job->request.door->lock);
    if (!job->cancelled)
        ask_post(job);
    pthread_mutex_unlock(&job->request.door->lock);
}

static tn_status drive(Job *job, tn_run *run, tn_outcome **out_outcome)
{
    tn_run_state state = TN_RUN_READY;
    tn_status status = TN_OK;

    publish(job, run);
    while (status == TN_OK && state != TN_RUN_DONE) {
        status = tn_run_step(run, &state);
        if (status == TN_OK && state == TN_RUN_WAITING) {
            post_questions(job);
            status = tn_run_wait(run, -1);
        }
    }
    publish(job, NULL);
    return status == TN_OK ? tn_run_outcome(run, out_outcome) : status;
}

static tn_run_options options_of(Job *job, tn_value arguments)
{
    tn_run_options options = TN_INIT(tn_run_options);
    tn_value input = tn_value_member(arguments, "input");
    uint32_t most = job->request.door->options.limits.wall_ms;
    int64_t wall_ms = 0;

    options.limits = job->request.door->options.limits;
    options.policy = job->request.door->options.policy;
    options.journal = job->request.door->options.journal;
    options.journal_level = job->request.door->options.journal_level;
    if (tn_value_type(input) == TN_TYPE_OBJECT)
        options.input = input;
    if (tn_value_int(tn_value_member(arguments, "wallMs"), &wall_ms) && wall_ms > 0 &&
        (most == 0 || wall_ms < most))
        options.limits.wall_ms = wall_ms < 3600000 ? (uint32_t)wall_ms : 3600000;
    return options;
}

static char *copy_text(tn_value value)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text && !memchr(text, '\0', length) ? strndup(text, length) : NULL;
}

/* The names an input brings, so that the check knows them. */
static tn_input_type *inputs_of(tn_value input, size_t *out_count)
{
    tn_input_type *inputs = calloc(tn_value_count(input) + 1, sizeof *inputs);
    size_t count = 0;

    for (tn_cursor cursor = {0}; inputs && tn_value_next(input, &cursor);) {
        char *name = copy_text(cursor.key);
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

static tn_status compile(const Job *job, const DoorEngine *held, tn_value arguments,
                         tn_program **out_program)
{
    tn_program_options options = TN_INIT(tn_program_options);
    tn_value input = tn_value_member(arguments, "input");
    size_t length, language_length;
    const char *code = member_text(arguments, "code", &length);
    const char *language = member_text(arguments, "language", &language_length);
    char *expect = copy_text(tn_value_member(arguments, "expect"));
    tn_input_type *inputs = inputs_of(input, &options.input_count);
    tn_status status;

    options.name = text_is(language, language_length, "javascript") ? "program.js" : "program.ts";
    options.expect = expect && expect[0] ? expect : NULL;
    options.policy = job->request.door->options.policy;
    options.inputs = inputs;
    status = tn_program_new(held->engine, code, length, &options, out_program);
    free_inputs(inputs, options.input_count);
    free(expect);
    return status;
}

/* True if an answer is wanted: who has cancelled waits for nothing more, and who has been asked
 * must come back for it. Nothing is said to the client about progress afterwards. */
static bool claim_answer(Job *job)
{
    Door *door = job->request.door;

    pthread_mutex_lock(&door->lock);
    while (job->parked && !job->cancelled)
        pthread_cond_wait(&door->changed, &door->lock);
    job->answered = true;
    bool wanted = !job->cancelled;
    pthread_mutex_unlock(&door->lock);
    return wanted;
}

static bool was_cancelled(Job *job)
{
    pthread_mutex_lock(&job->request.door->lock);
    bool cancelled = job->cancelled;
    pthread_mutex_unlock(&job->request.door->lock);
    return cancelled;
}

/* The program of an item is compiled once, and the configuration's. */
static tn_status prepare(Job *job, DoorEngine *held, tn_program **out_program,
                         tn_run_options *out_options)
{
    tn_value arguments = tn_value_member(job->request.params, "arguments");
    tn_status status = TN_OK;

    if (!job->item) {
        *out_options = options_of(job, arguments);
        status = compile(job, held, arguments, out_program);
    } else {
        *out_options = item_run_options(job);
        *out_program = item_program(job->request.door, held, job->item);
        if (!*out_program)
            status = TN_ERR_STATE;
    }
    out_options->context = job;
    out_options->ask = job->can.elicit ? ask_take : NULL;
    out_options->ask_user = job;
    return status;
}

static void tell_outcome(Job *job, tn_status status, const tn_outcome *outcome)
{
    if (status != TN_OK && job->item && job->item->kind != ITEM_TOOL)
        answer_error(&job->reply, WRONG_INSIDE, tn_status_text(status));
    else if (status != TN_OK)
        tool_answer(&job->reply, tn_status_text(status), true);
    else
        (job->item ? answer_item : answer_outcome)(job, outcome);
}

static void run_program(Job *job)
{
    tn_run_options options = TN_INIT(tn_run_options);
    tn_program *program = NULL;
    tn_run *run = NULL;
    tn_outcome *outcome = NULL;
    tn_status status = TN_ERR_STATE;
    DoorEngine *held = door_engine_take(job->request.door);

    if (!was_cancelled(job))
        status = prepare(job, held, &program, &options);
    if (status == TN_OK && !was_cancelled(job))
        status = tn_run_start(program, &options, &run);
    if (status == TN_OK && run)
        status = drive(job, run, &outcome);
    if (claim_answer(job))
        tell_outcome(job, status, outcome);
    tn_outcome_free(outcome);
    tn_run_free(run);
    if (!job->item)
        tn_program_free(program);
    door_engine_give(job->request.door, held);
}

static void *work(void *argument)
{
    Job *job = argument;

    begin_work(job);
    if (!job->look)
        run_program(job);
    else if (claim_answer(job))
        job->look(&job->reply);
    end_work(job);
    job_end(job);
    return NULL;
}

static bool start_thread(Job *job)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool started = pthread_create(&thread, &attributes, work, job) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

static Job *job_new(const Request *request, Task task)
{
    Job *job = calloc(1, sizeof *job);

    if (!job) {
        tn_writer_free(task.input);
        return NULL;
    }
    job->look = task.look;
    job->item = task.item;
    job->input = task.input;
    job->told = -1;
    job->can = can_of_request(request);
    if (!request_copy(request, &job->request) || !request_copy(request, &job->reply)) {
        job_free(job);
        return NULL;
    }
    return job;
}

void job_begin(Request *request, Task task)
{
    Job *job;

    if (!task.look &&
        tn_value_type(tn_value_member(request->params, "requestState")) != TN_TYPE_NONE) {
        tn_writer_free(task.input);
        ask_resume(request);
        return;
    }
    job = job_new(request, task);
    if (!job) {
        answer_error(request, WRONG_INSIDE, "out of memory");
    } else if (!enlist(job)) {
        tool_answer(request, "too many programs wait already: ask again when some have ended",
                    true);
        job_free(job);
    } else if (!start_thread(job)) {
        tool_answer(request, "no thread can be started for it", true);
        job_end(job);
    }
}
