/*
 * Runs under a policy, for the tests of policies: a world of functions that say what they were
 * called with, and a program in one line.
 */
#ifndef UNDER_H
#define UNDER_H

#include <pthread.h>
#include <unistd.h>

#include "try.h"

/* Thread-safe: what was called, in order, with what. */
static struct {
    pthread_mutex_t lock;
    char text[8192];
} said = {.lock = PTHREAD_MUTEX_INITIALIZER};

static inline void note(const char *format, const char *one, const char *other)
{
    pthread_mutex_lock(&said.lock);
    size_t at = strlen(said.text);
    if (at + 600 < sizeof said.text)
        (void)snprintf(said.text + at, 600, format, one, other);
    pthread_mutex_unlock(&said.lock);
}

static inline void forget(void)
{
    pthread_mutex_lock(&said.lock);
    said.text[0] = 0;
    pthread_mutex_unlock(&said.lock);
}

static inline bool has_said(const char *text)
{
    if (strcmp(said.text, text) == 0)
        return true;
    (void)fprintf(stderr, "    was called: %s\n    and not:    %s\n", said.text, text);
    return false;
}

/* Who was ever called, however much was said since. */
static const char *called_ever[16];

static inline bool was_called(const char *who)
{
    for (size_t i = 0; i < 16 && called_ever[i]; i++) {
        if (strcmp(called_ever[i], who) == 0)
            return true;
    }
    return false;
}

static inline void note_call(const char *who, tn_call *call)
{
    char arguments[400] = "";
    size_t at = 0, free_place = 0;

    pthread_mutex_lock(&said.lock);
    while (free_place < 15 && called_ever[free_place])
        free_place++;
    if (!was_called(who))
        called_ever[free_place] = who;
    pthread_mutex_unlock(&said.lock);
    for (size_t i = 0; i < tn_call_count(call); i++) {
        char *json = NULL;
        size_t length = 0;
        if (tn_value_json(tn_call_argument(call, i), &json, &length) == TN_OK)
            at +=
                (size_t)snprintf(arguments + at, sizeof arguments - at, "%s%s", i ? "," : "", json);
        tn_text_free(json);
        if (at >= sizeof arguments)
            break;
    }
    note("%s(%s);", who, arguments);
}

/* Gives its first argument, or its user's name without one. */
static inline void act(void *user, tn_call *call)
{
    note_call(user, call);
    if (tn_call_count(call) > 0)
        tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
    else
        tn_put_string(tn_call_result(call), user);
}

static inline void fails(void *user, tn_call *call)
{
    (void)user;
    tn_call_fail(call, "E_NO", "no such thing", true);
}

static inline void *finish_later(void *argument)
{
    tn_call *call = argument;

    usleep(2000);
    tn_put_string(tn_call_result(call), "later");
    tn_call_finish(call);
    return NULL;
}

static inline void later(void *user, tn_call *call)
{
    pthread_t thread;

    note_call(user, call);
    CHECK(tn_call_defer(call) == TN_OK);
    CHECK(pthread_create(&thread, NULL, finish_later, call) == 0);
    pthread_detach(thread);
}

static tn_call *kept_call;

static inline void never(void *user, tn_call *call)
{
    note_call(user, call);
    CHECK(tn_call_defer(call) == TN_OK);
    kept_call = call;
}

static char names[][16] = {"hub.list",  "hub.send", "hub.drop", "hub.now", "hub.later",
                           "hub.never", "mock.any", "mock.now", "a.b.deep"};

static inline void open_cursor(void *user, tn_call *call)
{
    tn_put_reference(tn_call_result(call), "Cursor", user, NULL);
}

static inline void setup(tn_engine *engine)
{
    static char next[] = "Cursor.next", drop[] = "Cursor.drop";
    const tn_method methods[] = {{"next", act, next, 0}, {"drop", act, drop, TN_FUNCTION_SYNC}};

    CHECK(tn_engine_add_function(engine, names[0], act, names[0], TN_FUNCTION_READ_ONLY) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[1], act, names[1], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[2], act, names[2], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[3], act, names[3], TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[4], later, names[4], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[5], never, names[5], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "hub.fails", fails, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "hub.open", open_cursor, names[0], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[6], act, names[6], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[7], act, names[7], TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[8], act, names[8], 0) == TN_OK);
    CHECK(tn_engine_add_interface(engine, "Cursor", methods, 2) == TN_OK);
}

/* What the original answers, changed on the way. */
static inline void change(void *user, tn_call *call, const tn_answer *answer)
{
    (void)user;
    if (answer->failed) {
        size_t length = 0;
        const char *text = tn_value_text(tn_value_member(answer->value, "message"), &length);
        char message[100];
        (void)snprintf(message, sizeof message, "changed: %.*s", (int)length, text ? text : "");
        tn_call_fail(call, "CHANGED", message, false);
        return;
    }
    tn_writer *w = tn_call_result(call);
    tn_put_array_begin(w);
    tn_put_value(w, answer->value);
    tn_put_string(w, "changed");
    tn_put_array_end(w);
}

static inline void call_and_change(void *user, tn_call *call)
{
    (void)user;
    CHECK(tn_call_original(call, (tn_value){0}, change, NULL) == TN_OK);
    /* it is not ours any more, whether it was answered at once or not */
    CHECK(tn_call_original(call, (tn_value){0}, NULL, NULL) == TN_ERR_STATE);
    CHECK(tn_call_defer(call) == TN_ERR_STATE);
}

/* A policy and what is run under it. */
typedef struct Under {
    Try try;
    tn_policy *policy;
    void (*ask)(void *user, tn_question *question);
    void *ask_user;
} Under;

static inline bool make(Under *under, const char *json)
{
    char *fault = NULL;

    tn_policy_free(under->policy);
    under->policy = NULL;
    under->try.setup = setup;
    forget();
    if (CHECK(tn_policy_new(json, json ? strlen(json) : 0, &under->policy, &fault) == TN_OK))
        return true;
    (void)fprintf(stderr, "    %s\n", fault ? fault : "");
    tn_text_free(fault);
    return false;
}

static inline tn_run_options options_of(const Under *under)
{
    tn_run_options options = try_options(&under->try);

    options.policy = under->policy;
    options.ask = under->ask;
    options.ask_user = under->ask_user;
    return options;
}

static inline tn_outcome *run_under(Under *under, const char *text)
{
    Try *try = &under->try;
    tn_run_options options = options_of(under);

    if (try_program(try, text))
        CHECK(tn_run_program(try->program, &options, &try->outcome) == TN_OK);
    return try->outcome;
}

static inline bool gives(Under *under, const char *text, const char *json)
{
    run_under(under, text);
    if (strcmp(try_json(&under->try), json) == 0)
        return true;
    (void)fprintf(stderr, "    %s\n    gave %s%s %s, not %s\n", text, try_json(&under->try),
                  try_error(&under->try)->name, try_error(&under->try)->message, json);
    return false;
}

static inline bool is_denied(const Under *under, const char *words)
{
    const tn_error *error = try_error(&under->try);

    if (try_status(&under->try) == TN_OUTCOME_DENIED && strstr(error->message, words) &&
        strcmp(error->code, "denied") == 0 && !error->retryable)
        return true;
    (void)fprintf(stderr, "    %s: %s (%s), not denied %s\n",
                  tn_outcome_status_text(try_status(&under->try)), error->message, error->code,
                  words);
    return false;
}

static inline const tn_effect *effect_at(const Under *under, size_t index)
{
    static const tn_effect none = {.name = "", .error = ""};
    const tn_effect *effect =
        under->try.outcome ? tn_outcome_effect(under->try.outcome, index) : NULL;

    return effect ? effect : &none;
}

static inline void end(Under *under)
{
    try_end(&under->try);
    tn_policy_free(under->policy);
    under->policy = NULL;
}

#endif
