/* Questions of the policy and of programs, put to the client, or to who sits before it.
 *
 * A client that shook hands gets a request of ours with the question's number. A stateless one gets
 * the questions as the answer to its request, and comes back with a new request that says what was
 * answered; meanwhile the job is parked. Both say the question's number again, which nobody can
 * guess and which belongs to one call of one run with its very arguments. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char id_prefix[] = "ask-";

static const char capabilities_key[] = "io.modelcontextprotocol/clientCapabilities";

static bool is_object(tn_value object, const char *name)
{
    return tn_value_type(tn_value_member(object, name)) == TN_TYPE_OBJECT;
}

Can can_of(tn_value capabilities)
{
    tn_value elicitation = tn_value_member(capabilities, "elicitation");

    return (Can){
        .elicit = tn_value_type(elicitation) == TN_TYPE_OBJECT &&
                  (tn_value_count(elicitation) == 0 || is_object(elicitation, "form")),
        .sample = is_object(capabilities, "sampling"),
        .roots = is_object(capabilities, "roots"),
    };
}

Can can_of_request(const Request *request)
{
    return request->modern ? can_of(tn_value_member(request->meta, capabilities_key))
                           : request->sink->peer->can;
}

bool random_id(char *out)
{
    unsigned char bytes[16];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static void append_locked(Job *job, Asked *asked)
{
    Asked **end = &job->asked;

    while (*end)
        end = &(*end)->next;
    *end = asked;
}

void ask_take(void *argument, tn_question *question)
{
    Job *job = argument;
    Asked *asked = calloc(1, sizeof *asked);

    if (!asked) {
        tn_question_free(question); /* which refuses */
        return;
    }
    asked->question = question;
    asked->method = "elicitation/create";
    (void)snprintf(asked->id, sizeof asked->id, "%s", tn_question_id(question));
    (void)snprintf(asked->key, sizeof asked->key, "%s", asked->id);
    pthread_mutex_lock(&job->request.door->lock);
    append_locked(job, asked);
    pthread_mutex_unlock(&job->request.door->lock);
}

/* ---- a program asks ---- */

/* Is this an answer to such a question at all? */
static bool answers(const char *method, tn_value said)
{
    size_t length;
    const char *action = member_text(said, "action", &length);

    if (strcmp(method, "roots/list") == 0)
        return tn_value_type(tn_value_member(said, "roots")) == TN_TYPE_ARRAY;
    if (strcmp(method, "sampling/createMessage") == 0)
        return tn_value_type(tn_value_member(said, "role")) == TN_TYPE_TEXT &&
               tn_value_type(tn_value_member(said, "content")) != TN_TYPE_NONE;
    if (text_is(action, length, "accept"))
        return is_object(said, "content");
    return text_is(action, length, "decline") || text_is(action, length, "cancel");
}

static void give_answer(tn_call *call, const char *method, tn_value said)
{
    tn_put_value(tn_call_result(call),
                 strcmp(method, "roots/list") == 0 ? tn_value_member(said, "roots") : said);
}

/* Has the program asked by this key before? It is noted. */
static bool asked_before(Job *job, const char *name)
{
    for (const Key *key = job->keys; key; key = key->next) {
        if (strcmp(key->name, name) == 0)
            return true;
    }
    Key *key = malloc(sizeof *key + strlen(name) + 1);
    if (key) {
        memcpy(key->name, name, strlen(name) + 1);
        key->next = job->keys;
        job->keys = key;
    }
    return false;
}

/* A client may say with its request what it knows that it will be asked: once for each key. */
static bool known_before(Job *job, tn_call *call, const char *method, const char *key)
{
    bool known = false;

    if (key[0] == '\0' || asked_before(job, key))
        return false;
    pthread_mutex_lock(&job->request.door->lock);
    tn_value said = tn_value_member(tn_value_member(job->request.params, "inputResponses"), key);
    if (job->request.modern && answers(method, said)) {
        give_answer(call, method, said);
        known = true;
    }
    pthread_mutex_unlock(&job->request.door->lock);
    return known;
}

static void make_key_locked(const Job *job, Asked *made, const char *wish)
{
    (void)snprintf(made->key, sizeof made->key, "%s", wish[0] ? wish : made->id);
    for (const Asked *asked = job->asked; asked; asked = asked->next) {
        if (strcmp(asked->key, made->key) == 0) {
            (void)snprintf(made->key, sizeof made->key, "%s", made->id);
            break;
        }
    }
}

static void asked_free(Asked *asked)
{
    tn_question_free(asked->question);
    tn_writer_free(asked->params);
    free(asked);
}

void ask_call(Job *job, tn_call *call, const char *method, tn_writer *params, tn_value key)
{
    Asked *asked = calloc(1, sizeof *asked);
    char wish[sizeof asked->key] = "";
    size_t length = 0;
    const char *text = tn_value_text(key, &length);

    if (text && length < sizeof wish && !memchr(text, '\0', length))
        memcpy(wish, text, length);
    if (asked)
        asked->params = params;
    else
        tn_writer_free(params);
    if (known_before(job, call, method, wish)) {
        if (asked)
            asked_free(asked);
        return;
    }
    if (!asked || !random_id(asked->id) || tn_call_defer(call) != TN_OK) {
        tn_call_fail(call, "NOMEM", "out of memory", true);
        if (asked)
            asked_free(asked);
        return;
    }
    asked->call = call;
    asked->method = method;
    if (tn_call_stop_clock(call) != TN_OK)
        asked->sent = false; /* then the time that it takes counts */
    pthread_mutex_lock(&job->request.door->lock);
    make_key_locked(job, asked, wish);
    append_locked(job, asked);
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

static void demand_name(char *out, size_t room, const Asked *asked)
{
    (void)snprintf(out, room, "%s%s", id_prefix, asked->id);
}

static void send_demand(Job *job, const Asked *asked)
{
    char id[64];

    demand_name(id, sizeof id, asked);
    tn_writer *writer = demand_begin(id, asked->method);
    if (writer && asked->question)
        put_question(writer, asked->question);
    for (tn_cursor cursor = {0};
         writer && asked->params && tn_value_next(tn_writer_value(asked->params), &cursor);) {
        char name[64];
        size_t length = 0;
        const char *text = tn_value_text(cursor.key, &length);
        (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
        tn_put_key(writer, name);
        tn_put_value(writer, cursor.value);
    }
    notification_end(job->reply.sink, writer);
}

static void put_asked(tn_writer *writer, const Asked *asked)
{
    tn_put_key(writer, asked->key);
    tn_put_object_begin(writer);
    put_text(writer, "method", asked->method);
    tn_put_key(writer, "params");
    if (asked->question) {
        tn_put_object_begin(writer);
        put_text(writer, "mode", "form");
        put_question(writer, asked->question);
        tn_put_object_end(writer);
    } else {
        tn_put_value(writer, tn_writer_value(asked->params));
    }
    tn_put_object_end(writer);
}

static void park(Job *job)
{
    Door *door = job->request.door;
    tn_writer *writer = result_begin_as(&job->reply, "input_required");
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    (void)snprintf(job->state, sizeof job->state, "%s", job->asked->id);
    job->parked = true;
    job->parked_at = now.tv_sec;
    door->working--;
    pthread_cond_broadcast(&door->changed);
    if (writer) {
        tn_put_key(writer, "inputRequests");
        tn_put_object_begin(writer);
        for (Asked *asked = job->asked; asked; asked = asked->next) {
            asked->sent = true;
            put_asked(writer, asked);
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
        demand_name(id, sizeof id, asked);
        tn_writer *writer = notification_begin("notifications/cancelled");
        if (writer) {
            put_text(writer, "requestId", id);
            put_text(writer, "reason", "the program needs it no more");
        }
        notification_end(job->reply.sink, writer);
    }
    if (asked->call) {
        tn_call_fail(asked->call, "cancelled", "nobody has answered", false);
        tn_call_finish(asked->call);
    }
    asked_free(asked);
}

static bool is_open(const Asked *asked)
{
    return asked->question ? tn_question_open(asked->question) : !tn_call_cancelled(asked->call);
}

/* Questions of calls that were given up. */
static void sweep(Job *job)
{
    for (Asked **link = &job->asked; *link;) {
        Asked *asked = *link;
        if (is_open(asked)) {
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
            send_demand(job, asked);
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

/* By what stands in `said`; NONE is no, or `error` of the client's. */
static void settle(Asked *asked, tn_value error)
{
    if (asked->question) {
        /* late, if it fails: the run is over */
        if (tn_question_answer(asked->question, asked->id, says_yes(asked->said)) != TN_OK)
            asked->sent = false;
    } else {
        char message[300];
        size_t length;
        const char *why = member_text(error, "message", &length);
        (void)snprintf(message, sizeof message, "the client answered %s with %s%.*s", asked->method,
                       why ? "an error: " : "what is no answer to it",
                       length < 200 ? (int)length : 200, why ? why : "");
        if (answers(asked->method, asked->said))
            give_answer(asked->call, asked->method, asked->said);
        else
            tn_call_fail(asked->call, "client", message, false);
        tn_call_finish(asked->call);
    }
    asked_free(asked);
}

static Asked *unlink_asked(Job *job, const char *name, size_t length, bool by_key)
{
    for (Asked **link = &job->asked; *link; link = &(*link)->next) {
        Asked *asked = *link;
        if (asked->sent && text_is(name, length, by_key ? asked->key : asked->id)) {
            *link = asked->next;
            return asked;
        }
    }
    return NULL;
}

void ask_answer(const Request *request, tn_value result, tn_value error)
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
            asked = unlink_asked(job, text + PREFIX, length - PREFIX, false);
    }
    pthread_mutex_unlock(&door->lock);
    if (!asked)
        return;
    asked->said = result;
    settle(asked, error);
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

/* What was asked first is asked again: by name or address, with the same arguments. */
static bool same_work(const Job *job, const Request *request)
{
    static const char *const members[] = {"name", "uri", "arguments"};

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        tn_value before = tn_value_member(job->request.params, members[i]);
        tn_value now = tn_value_member(request->params, members[i]);
        bool both = tn_value_type(before) != TN_TYPE_NONE && tn_value_type(now) != TN_TYPE_NONE;
        if (both ? !same_value(before, now) : tn_value_type(before) != tn_value_type(now))
            return false;
    }
    return true;
}

static Job *parked_job(Door *door, const char *state, size_t length, const Request *request)
{
    Job *job = door->jobs;

    while (job && !(job->parked && !job->cancelled && text_is(state, length, job->state)))
        job = job->next;
    return job && same_work(job, request) ? job : NULL;
}

/* Answers taken out of the job's list, to be given without the lock. What is no answer to a
 * program's question is left: it is asked again. */
static Asked *take_answers(Job *job, tn_value responses)
{
    Asked *taken = NULL;

    for (tn_cursor cursor = {0}; tn_value_next(responses, &cursor);) {
        size_t length = 0;
        const char *key = tn_value_text(cursor.key, &length);
        Asked *asked = unlink_asked(job, key, length, true);
        if (!asked)
            continue;
        if (asked->call && !answers(asked->method, cursor.value)) {
            append_locked(job, asked);
            asked->next = NULL;
            continue;
        }
        asked->said = cursor.value;
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

void ask_resume(Request *request)
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
    job = request->modern ? parked_job(door, state, length, request) : NULL;
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
        settle(taken, (tn_value){0});
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
