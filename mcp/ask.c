/* Questions of the policy, put to who sits before the client.
 *
 * A client that shook hands gets a request of ours with the question's number. A stateless one gets
 * the questions as the answer to its request, and comes back with a new request that says what was
 * answered; meanwhile the job is parked. Both say the question's number again, which nobody can
 * guess and which belongs to one call of one run with its very arguments. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char id_prefix[] = "ask-";

bool can_ask(tn_value capabilities)
{
    tn_value elicitation = tn_value_member(capabilities, "elicitation");

    return tn_value_type(elicitation) == TN_TYPE_OBJECT &&
           (tn_value_count(elicitation) == 0 ||
            tn_value_type(tn_value_member(elicitation, "form")) == TN_TYPE_OBJECT);
}

void ask_take(void *argument, tn_question *question)
{
    Job *job = argument;
    Asked *asked = calloc(1, sizeof *asked);
    Asked **end = &job->asked;

    if (!asked) {
        tn_question_free(question); /* which refuses */
        return;
    }
    asked->question = question;
    pthread_mutex_lock(&job->request.door->lock);
    while (*end)
        end = &(*end)->next;
    *end = asked;
    pthread_mutex_unlock(&job->request.door->lock);
}

/* ---- what is asked ---- */

enum { MESSAGE_MOST = 6000, ARGUMENT_MOST = 2000 };

/* The arguments in JSON, each as far as somebody would read it. */
static size_t say_arguments(const tn_question *question, char *text, size_t room)
{
    size_t at = 0;

    for (size_t i = 0; i < tn_question_count(question) && room - at > ARGUMENT_MOST + 100; i++) {
        char *json = NULL;
        size_t length = 0, shown;
        if (tn_value_json(tn_question_argument(question, i), &json, &length) != TN_OK)
            continue;
        shown = length > ARGUMENT_MOST ? ARGUMENT_MOST : length;
        while (shown < length && shown > 0 && ((unsigned char)json[shown] & 0xC0) == 0x80)
            shown--;
        text[at++] = '\n';
        memcpy(text + at, json, shown);
        at += shown;
        if (shown < length)
            at += (size_t)snprintf(text + at, room - at, " ... and %zu bytes more", length - shown);
        tn_text_free(json);
    }
    return at;
}

/* The members of the params of elicitation/create. */
static void put_question(tn_writer *writer, const tn_question *question)
{
    char text[MESSAGE_MOST];
    int length = snprintf(text, 600, "A program (line %u) wants to call %.500s with",
                          tn_question_line(question), tn_question_name(question));
    size_t at = length > 0 && length < 600 ? (size_t)length : 0;

    if (tn_question_count(question) == 0)
        at += (size_t)snprintf(text + at, sizeof text - at, " nothing");
    at += say_arguments(question, text + at, sizeof text - at - 20);
    put_text_of(writer, "message", text, at);
    put_json(writer, "requestedSchema",
             "{\"type\":\"object\",\"properties\":{\"allow\":{\"type\":\"boolean\",\"title\":"
             "\"Allow this call\",\"default\":false}},\"required\":[\"allow\"]}");
}

static void demand_name(char *out, size_t room, const tn_question *question)
{
    (void)snprintf(out, room, "%s%s", id_prefix, tn_question_id(question));
}

static void send_demand(Job *job, const tn_question *question)
{
    char id[64];

    demand_name(id, sizeof id, question);
    tn_writer *writer = demand_begin(id, "elicitation/create");
    if (writer)
        put_question(writer, question);
    notification_end(job->reply.sink, writer);
}

static void park(Job *job)
{
    Door *door = job->request.door;
    tn_writer *writer = result_begin_as(&job->reply, "input_required");
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    (void)snprintf(job->state, sizeof job->state, "%s", tn_question_id(job->asked->question));
    job->parked = true;
    job->parked_at = now.tv_sec;
    door->working--;
    pthread_cond_broadcast(&door->changed);
    if (writer) {
        tn_put_key(writer, "inputRequests");
        tn_put_object_begin(writer);
        for (Asked *asked = job->asked; asked; asked = asked->next) {
            asked->sent = true;
            tn_put_key(writer, tn_question_id(asked->question));
            tn_put_object_begin(writer);
            put_text(writer, "method", "elicitation/create");
            tn_put_key(writer, "params");
            tn_put_object_begin(writer);
            put_text(writer, "mode", "form");
            put_question(writer, asked->question);
            tn_put_object_end(writer);
            tn_put_object_end(writer);
        }
        tn_put_object_end(writer);
        put_text(writer, "requestState", job->state);
    }
    result_end(&job->reply, writer);
}

/* Nobody waits for an answer any more: a client that still shows the question is told. */
static void drop(const Job *job, Asked *asked)
{
    char id[64];

    if (asked->sent && !job->reply.modern) {
        demand_name(id, sizeof id, asked->question);
        tn_writer *writer = notification_begin("notifications/cancelled");
        if (writer) {
            put_text(writer, "requestId", id);
            put_text(writer, "reason", "the program needs it no more");
        }
        notification_end(job->reply.sink, writer);
    }
    tn_question_free(asked->question);
    free(asked);
}

/* Questions of calls that were given up. */
static void sweep(Job *job)
{
    for (Asked **link = &job->asked; *link;) {
        Asked *asked = *link;
        if (tn_question_open(asked->question)) {
            link = &asked->next;
            continue;
        }
        *link = asked->next;
        drop(job, asked);
    }
}

void ask_post(Job *job)
{
    bool unsent = false;

    sweep(job);
    for (Asked *asked = job->asked; asked; asked = asked->next) {
        unsent = unsent || !asked->sent;
        if (!asked->sent && !job->reply.modern) {
            asked->sent = true;
            send_demand(job, asked->question);
        }
    }
    if (unsent && job->reply.modern && !job->parked && !job->answered)
        park(job);
}

/* ---- what is answered ---- */

static bool says_yes(tn_value result)
{
    size_t length;
    const char *action = member_text(result, "action", &length);
    tn_value content = tn_value_member(result, "content");

    return text_is(action, length, "accept") && tn_value_bool(tn_value_member(content, "allow"));
}

static void settle(Asked *asked, bool allow)
{
    /* late, if it fails: the run is over */
    if (tn_question_answer(asked->question, tn_question_id(asked->question), allow) != TN_OK)
        allow = false;
    tn_question_free(asked->question);
    free(asked);
}

static Asked *unlink_asked(Job *job, const char *id, size_t length)
{
    for (Asked **link = &job->asked; *link; link = &(*link)->next) {
        Asked *asked = *link;
        if (asked->sent && text_is(id, length, tn_question_id(asked->question))) {
            *link = asked->next;
            return asked;
        }
    }
    return NULL;
}

void ask_answer(const Request *request, tn_value result)
{
    enum { PREFIX = sizeof id_prefix - 1 };
    Door *door = request->door;
    size_t length = 0;
    const char *text = tn_value_text(request->id, &length);
    Asked *asked = NULL;

    if (!text || length < PREFIX || memcmp(text, id_prefix, PREFIX) != 0)
        return;
    pthread_mutex_lock(&door->lock);
    for (Job *job = door->jobs; job && !asked; job = job->next) {
        if (!job->reply.modern && job->reply.sink->peer == request->sink->peer)
            asked = unlink_asked(job, text + PREFIX, length - PREFIX);
    }
    pthread_mutex_unlock(&door->lock);
    if (asked)
        settle(asked, says_yes(result));
}

/* ---- a parked job goes on ---- */

static bool same_value(tn_value a, tn_value b)
{
    char *text_a = NULL, *text_b = NULL;
    size_t length_a = 0, length_b = 0;
    bool same = tn_value_json(a, &text_a, &length_a) == TN_OK &&
                tn_value_json(b, &text_b, &length_b) == TN_OK && length_a == length_b &&
                memcmp(text_a, text_b, length_a) == 0;

    tn_text_free(text_a);
    tn_text_free(text_b);
    return same;
}

static Job *parked_job(Door *door, const char *state, size_t length, tn_value arguments)
{
    Job *job = door->jobs;

    while (job && !(job->parked && !job->cancelled && text_is(state, length, job->state)))
        job = job->next;
    if (job && !same_value(tn_value_member(job->request.params, "arguments"), arguments))
        job = NULL;
    return job;
}

/* Answers taken out of the job's list, to be given without the lock. */
static Asked *take_answers(Job *job, tn_value responses)
{
    Asked *taken = NULL;

    for (tn_cursor cursor = {0}; tn_value_next(responses, &cursor);) {
        size_t length = 0;
        const char *id = tn_value_text(cursor.key, &length);
        Asked *asked = unlink_asked(job, id, length);
        if (!asked)
            continue;
        asked->sent = says_yes(cursor.value);
        asked->next = taken;
        taken = asked;
    }
    return taken;
}

static void unpark(Job *job, Request *reply)
{
    Request before = job->reply;

    job->reply = *reply;
    *reply = before;
    job->parked = false;
    job->state[0] = '\0';
    job->request.door->working++;
}

void ask_resume(Request *request, tn_value arguments)
{
    Door *door = request->door;
    size_t length = 0;
    const char *state = member_text(request->params, "requestState", &length);
    Request copy = {0};
    Asked *taken = NULL;
    Job *job;

    if (!request_copy(request, &copy)) {
        answer_error(request, WRONG_INSIDE, "out of memory");
        return;
    }
    pthread_mutex_lock(&door->lock);
    job = request->modern ? parked_job(door, state, length, arguments) : NULL;
    if (job) {
        unpark(job, &copy);
        taken = take_answers(job, tn_value_member(request->params, "inputResponses"));
        for (Asked *asked = job->asked; asked; asked = asked->next)
            asked->sent = false;
        ask_post(job); /* what was not answered is asked again */
        pthread_cond_broadcast(&door->changed);
    }
    pthread_mutex_unlock(&door->lock);
    while (taken) {
        Asked *next = taken->next;
        settle(taken, taken->sent);
        taken = next;
    }
    request_free(&copy);
    if (!job)
        answer_error(request, WRONG_PARAMS,
                     "that requestState is of no program that waits with these arguments");
}

void ask_drop(Job *job)
{
    Door *door = job->request.door;

    pthread_mutex_lock(&door->lock);
    Asked *asked = job->asked;
    job->asked = NULL;
    pthread_mutex_unlock(&door->lock);
    while (asked) {
        Asked *next = asked->next;
        drop(job, asked);
        asked = next;
    }
}
