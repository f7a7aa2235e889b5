/* Who wants to be told when a resource of the configuration changes. In the older era a client
 * names addresses, and is told in the stream of its own; in the newer one a request stays open, and
 * is told in its answer. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

enum { WATCHES_MOST = 1000 };

struct Watch {
    Watch *next;
    const Peer *peer;
    Request request; /* of the newer era */
    char *uri;       /* of the older one */
};

static const char subscriptions[] = "resourceSubscriptions";

static tn_value wanted(const Request *request)
{
    return tn_value_member(tn_value_member(request->params, "notifications"), subscriptions);
}

static bool watches(const Watch *watch, const char *uri, size_t length)
{
    size_t got = 0;

    if (watch->uri)
        return text_is(uri, length, watch->uri);
    for (tn_cursor cursor = {0}; tn_value_next(wanted(&watch->request), &cursor);) {
        const char *text = tn_value_text(cursor.value, &got);
        if (text && got == length && memcmp(text, uri, length) == 0)
            return true;
    }
    return false;
}

static void watch_free(Watch *watch)
{
    request_free(&watch->request);
    free(watch->uri);
    free(watch);
}

static bool enlist(Door *door, Watch *watch)
{
    pthread_mutex_lock(&door->lock);
    bool room = door->watch_count < WATCHES_MOST;
    if (room) {
        watch->next = door->watches;
        door->watches = watch;
        door->watch_count++;
    }
    pthread_mutex_unlock(&door->lock);
    return room;
}

/* Take out those that fit. */
static Watch *take(Door *door, bool (*fits)(const Watch *watch, const void *what), const void *what)
{
    Watch *taken = NULL;

    pthread_mutex_lock(&door->lock);
    for (Watch **link = &door->watches; *link;) {
        Watch *watch = *link;
        if (!fits(watch, what)) {
            link = &watch->next;
            continue;
        }
        *link = watch->next;
        watch->next = taken;
        taken = watch;
        door->watch_count--;
    }
    pthread_mutex_unlock(&door->lock);
    return taken;
}

static bool drop(Watch *watch)
{
    bool any = watch != NULL;

    while (watch) {
        Watch *next = watch->next;
        watch_free(watch);
        watch = next;
    }
    return any;
}

/* ---- the older era ---- */

void watch_subscribe(const Request *request)
{
    size_t length;
    const char *uri = member_text(request->params, "uri", &length);
    Watch *watch;

    if (!uri || !item_find(request->door, ITEM_RESOURCE, uri, length)) {
        answer_error_about(request, WRONG_PARAMS, "there is no such resource", "uri",
                           uri ? uri : "", length);
        return;
    }
    watch = calloc(1, sizeof *watch);
    if (watch) {
        watch->peer = request->sink->peer;
        watch->uri = strndup(uri, length);
    }
    if (watch && watch->uri && enlist(request->door, watch)) {
        result_end(request, result_begin(request));
        return;
    }
    answer_error(request, WRONG_INSIDE, "no more subscriptions can be kept");
    if (watch)
        watch_free(watch);
}

typedef struct Named {
    const Peer *peer;
    const char *uri;
    size_t length;
} Named;

static bool is_named(const Watch *watch, const void *what)
{
    const Named *named = what;

    return watch->uri && watch->peer == named->peer &&
           text_is(named->uri, named->length, watch->uri);
}

void watch_unsubscribe(const Request *request)
{
    Named named = {.peer = request->sink->peer};

    named.uri = member_text(request->params, "uri", &named.length);
    (void)drop(take(request->door, is_named, &named));
    result_end(request, result_begin(request));
}

static bool is_of(const Watch *watch, const void *peer)
{
    return watch->peer == peer;
}

void watches_forget(Door *door, const Peer *peer)
{
    (void)drop(take(door, is_of, peer));
}

/* ---- the newer era ---- */

static void put_subscription(tn_writer *writer, const Request *request)
{
    tn_put_key(writer, "_meta");
    tn_put_object_begin(writer);
    tn_put_key(writer, "io.modelcontextprotocol/subscriptionId");
    tn_put_value(writer, request->id);
    tn_put_object_end(writer);
}

/* What will be told: of what can change here, what was asked for. */
static void acknowledge(const Request *request)
{
    tn_writer *writer = notification_begin("notifications/subscriptions/acknowledged");
    tn_value uris = wanted(request);

    if (writer) {
        tn_put_key(writer, "notifications");
        tn_put_object_begin(writer);
        if (tn_value_type(uris) == TN_TYPE_ARRAY) {
            tn_put_key(writer, subscriptions);
            tn_put_value(writer, uris);
        }
        tn_put_object_end(writer);
        put_subscription(writer, request);
    }
    notification_end(request->sink, writer);
}

void watch_listen(const Request *request)
{
    Watch *watch = calloc(1, sizeof *watch);

    if (watch && request_copy(request, &watch->request)) {
        watch->peer = request->sink->peer;
        watch->request.listens = true;
        acknowledge(request); /* first of all, before anybody else can tell it something */
        if (enlist(request->door, watch))
            return;
    }
    answer_error(request, WRONG_INSIDE, "no more subscriptions can be kept");
    if (watch)
        watch_free(watch);
}

static bool is_for(const Watch *watch, const void *sink)
{
    return !watch->uri && watch->request.sink == sink;
}

void watches_leave(Door *door, const Sink *sink)
{
    (void)drop(take(door, is_for, sink));
}

static bool is_request(const Watch *watch, const void *what)
{
    const Request *request = what;

    return !watch->uri && watch->peer == request->sink->peer &&
           same_id(watch->request.id, tn_value_member(request->params, "requestId"));
}

void watch_cancel(const Request *request)
{
    (void)drop(take(request->door, is_request, request));
}

static bool is_any(const Watch *watch, const void *what)
{
    (void)watch;
    (void)what;
    return true;
}

void watches_end(Door *door)
{
    Watch *all = take(door, is_any, NULL);

    for (Watch *watch = all; watch; watch = watch->next) {
        if (!watch->uri)
            result_end(&watch->request, result_begin(&watch->request));
    }
    (void)drop(all);
}

/* ---- telling ---- */

void watches_tell(Door *door, const char *uri, size_t length)
{
    pthread_mutex_lock(&door->lock);
    for (const Watch *watch = door->watches; watch; watch = watch->next) {
        Sink *sink = watch->uri ? watch->peer->stream : watch->request.sink;
        if (!sink || !watches(watch, uri, length))
            continue;
        tn_writer *writer = notification_begin("notifications/resources/updated");
        if (writer) {
            put_text_of(writer, "uri", uri, length);
            if (!watch->uri)
                put_subscription(writer, &watch->request);
        }
        notification_end(sink, writer);
    }
    pthread_mutex_unlock(&door->lock);
}
