/* The client: one thread with one loop, and what other threads hand to it. */
#include <stdio.h>
#include <unistd.h>

#include "http_inside.h"

enum { OPEN_MOST = 64 };

/* ---- their turn: a request's time runs while it waits ---- */

static bool is_wanted(const Transfer *transfer)
{
    return !transfer->aborted && !(transfer->call && tn_call_cancelled(transfer->call));
}

static void begin(Transfer *transfer)
{
    pthread_mutex_lock(&transfer->client->lock);
    bool wanted = is_wanted(transfer);
    pthread_mutex_unlock(&transfer->client->lock);
    transfer->begun = true;
    transfer->client->open++;
    if (!wanted)
        transfer_fail(transfer, "cancelled", "nobody waits for it any more", false);
    else if (!transfer_send(transfer))
        transfer_finish(transfer, CURLE_FAILED_INIT);
}

static void queue(Transfer *transfer)
{
    HttpClient *client = transfer->client;

    transfer->next_new = NULL;
    if (client->waiting)
        client->waiting_last->next_new = transfer;
    else
        client->waiting = transfer;
    client->waiting_last = transfer;
}

static void begin_waiting(HttpClient *client)
{
    while (client->waiting && client->open < client->open_most) {
        Transfer *transfer = client->waiting;
        client->waiting = transfer->next_new;
        begin(transfer);
    }
}

/* ---- what libcurl has done ---- */

static void worked(void *context)
{
    HttpClient *client = context;
    CURLcode code = CURLE_OK;
    Transfer *transfer;

    while ((transfer = curl_loop_finished(&client->curl, &code))) {
        (void)curl_multi_remove_handle(client->curl.multi, transfer->easy);
        transfer_finish(transfer, code);
    }
    begin_waiting(client);
}

void client_forget(Transfer *transfer)
{
    HttpClient *client = transfer->client;

    client->open -= transfer->begun;
    pthread_mutex_lock(&client->lock);
    if (transfer->next)
        transfer->next->previous = transfer->previous;
    if (transfer->previous)
        transfer->previous->next = transfer->next;
    else if (client->first == transfer)
        client->first = transfer->next;
    pthread_mutex_unlock(&client->lock);
}

/* ---- what nobody wants any more ---- */

static void unqueue(Transfer *transfer)
{
    HttpClient *client = transfer->client;
    Transfer *before = NULL;

    for (Transfer **link = &client->waiting; *link; link = &(*link)->next_new) {
        if (*link == transfer) {
            *link = transfer->next_new;
            if (client->waiting_last == transfer)
                client->waiting_last = before;
            return;
        }
        before = *link;
    }
}

static void cancel(Transfer *transfer)
{
    if (!transfer->begun)
        unqueue(transfer);
    else if (transfer->easy)
        (void)curl_multi_remove_handle(transfer->client->curl.multi, transfer->easy);
    transfer_fail(transfer, "cancelled", "nobody waits for it any more", false);
}

/* What is handed in meanwhile is looked at when it begins. */
static void sweep(HttpClient *client, bool all)
{
    Transfer *transfer;

    do {
        pthread_mutex_lock(&client->lock);
        for (transfer = client->first; transfer; transfer = transfer->next) {
            if (transfer->taken && (all || !is_wanted(transfer)))
                break;
        }
        pthread_mutex_unlock(&client->lock);
        if (transfer)
            cancel(transfer);
    } while (transfer);
}

/* ---- what others hand in ---- */

static void curl_closed(void *context)
{
    HttpClient *client = context;

    uv_close((uv_handle_t *)&client->wake, NULL);
}

static void end_all(HttpClient *client)
{
    if (client->ending)
        return;
    client->ending = true;
    sweep(client, true);
    curl_loop_close(&client->curl, curl_closed);
}

static void attend(uv_async_t *wake)
{
    HttpClient *client = wake->data;
    Transfer *incoming, *next;

    pthread_mutex_lock(&client->lock);
    incoming = client->incoming;
    bool sweeping = client->sweep, leaving = client->leaving;
    client->incoming = client->incoming_last = NULL;
    client->sweep = false;
    pthread_mutex_unlock(&client->lock);

    uv_update_time(&client->loop);
    for (; incoming; incoming = next) {
        next = incoming->next_new;
        incoming->taken = true;
        incoming->due = uv_now(&client->loop) + incoming->request.timeout_ms;
        queue(incoming);
    }
    if (sweeping)
        sweep(client, false);
    if (leaving)
        end_all(client);
    else
        begin_waiting(client);
}

/* ---- the thread ---- */

static void *run(void *context)
{
    HttpClient *client = context;

    uv_run(&client->loop, UV_RUN_DEFAULT);
    return NULL;
}

static bool open_loop(HttpClient *client)
{
    if (uv_loop_init(&client->loop) != 0)
        return false;
    client->wake.data = client;
    client->curl.context = client;
    client->curl.worked = worked;
    if (uv_async_init(&client->loop, &client->wake, attend) == 0) {
        if (curl_loop_open(&client->curl, &client->loop, &client->allocator) == TN_OK)
            return true;
        uv_close((uv_handle_t *)&client->wake, NULL);
    }
    (void)uv_run(&client->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&client->loop);
    return false;
}

/* With the lock. NULL, or why it cannot run. */
static const char *start(HttpClient *client)
{
    if (client->owner != getpid())
        return "requests belong to the process that made the engine, not to its child";
    if (client->leaving)
        return "the engine is at its end";
    if (client->running)
        return NULL;
    if (!curl_open())
        return "libcurl (libcurl.so.4) is not installed, or is older than 7.85";
    for (const char *const *one = client->resolve_options; one && *one; one++)
        client->resolve = curl_slist_append(client->resolve, *one);
    if (!open_loop(client))
        return "there is no memory for requests";
    client->running = loop_thread_start(&client->thread, run, client);
    if (client->running)
        return NULL;
    curl_loop_close(&client->curl, curl_closed);
    (void)uv_run(&client->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&client->loop);
    return "there is no thread for requests";
}

/* ---- in and out ---- */

static void cancelled(void *user)
{
    HttpClient *client = user;

    pthread_mutex_lock(&client->lock);
    client->sweep = true;
    pthread_mutex_unlock(&client->lock);
    uv_async_send(&client->wake);
}

static void refuse(tn_call *call, HttpDone done, void *user, const char *code, const char *why)
{
    HttpAnswer answered = {.error = code, .message = why};

    done(user, call, &answered);
}

static void hand_in(HttpClient *client, Transfer *transfer)
{
    pthread_mutex_lock(&client->lock);
    transfer->next = client->first;
    if (client->first)
        client->first->previous = transfer;
    client->first = transfer;
    if (client->incoming)
        client->incoming_last->next_new = transfer;
    else
        client->incoming = transfer;
    client->incoming_last = transfer;
    pthread_mutex_unlock(&client->lock);
    uv_async_send(&client->wake);
}

/* NULL: refused, and `done` was told. */
static Transfer *prepare(HttpClient *client, const HttpRequest *request, tn_call *call,
                         HttpDone done, void *user)
{
    const char *fault = NULL, *why;
    Transfer *transfer = NULL;

    pthread_mutex_lock(&client->lock);
    why = start(client);
    pthread_mutex_unlock(&client->lock);
    if (!why) {
        transfer = transfer_new(client, request, &fault);
        why = transfer ? NULL : "there is no memory for the request";
    }
    if (!why && !fault && call && tn_call_defer(call) != TN_OK)
        why = "requests are answered later: not synchronously";
    if (!why && !fault) {
        transfer->call = call;
        transfer->done = done;
        transfer->user = user;
        return transfer;
    }
    refuse(call, done, user, why ? "unavailable" : "arguments", why ? why : fault);
    if (transfer)
        transfer_free(transfer);
    return NULL;
}

/* The client is what is woken by a cancel, not the transfer: the wake may come after its end, and
 * the client outlives all runs. */
void http_call(HttpClient *client, const HttpRequest *request, tn_call *call, HttpDone done,
               void *user)
{
    Transfer *transfer = prepare(client, request, call, done, user);

    if (!transfer)
        return;
    tn_call_on_cancel(call, cancelled, client);
    hand_in(client, transfer);
}

typedef struct Waiter {
    HttpDone done;
    void *user;
    HttpClient *client;
    bool finished;
} Waiter;

static void waiter_done(void *context, tn_call *call, const HttpAnswer *answer)
{
    Waiter *waiter = context;

    waiter->done(waiter->user, call, answer);
    pthread_mutex_lock(&waiter->client->lock);
    waiter->finished = true;
    pthread_mutex_unlock(&waiter->client->lock);
}

void http_wait(HttpClient *client, const HttpRequest *request, HttpDone done, void *user)
{
    Waiter waiter = {done, user, client, false};
    Transfer *transfer = prepare(client, request, NULL, waiter_done, &waiter);

    if (!transfer)
        return;
    hand_in(client, transfer);
    pthread_mutex_lock(&client->lock);
    while (!waiter.finished)
        pthread_cond_wait(&client->changed, &client->lock);
    pthread_mutex_unlock(&client->lock);
}

void http_abort(HttpClient *client, uint64_t number)
{
    bool found = false;

    pthread_mutex_lock(&client->lock);
    for (Transfer *one = client->first; one; one = one->next) {
        if (number != 0 && one->request.number == number)
            found = one->aborted = true;
    }
    client->sweep |= found;
    pthread_mutex_unlock(&client->lock);
    if (found)
        uv_async_send(&client->wake);
}

/* ---- making and ending ---- */

tn_status http_client_new(const HttpClientOptions *options, HttpClient **out_client)
{
    static const HttpClientOptions nothing = {0};
    const HttpClientOptions *told = options ? options : &nothing;
    const tn_allocator *allocator = told->allocator ? told->allocator : memory_default();
    HttpClient *client = memory_new(allocator, sizeof *client);
    size_t count = 0;

    if (!client)
        return TN_ERR_NOMEM;
    client->allocator = *allocator;
    client->open_most = told->open_most ? told->open_most : OPEN_MOST;
    client->owner = getpid();
    arena_init(&client->arena, &client->allocator, 1024 * 1024);
    while (told->resolve && told->resolve[count])
        count++;
    client->resolve_options = ARENA_ARRAY(&client->arena, const char *, count + 1);
    for (size_t i = 0; client->resolve_options && i < count; i++)
        client->resolve_options[i] = arena_string(&client->arena, told->resolve[i]);
    if (client->arena.failed) {
        arena_release(&client->arena);
        memory_free(allocator, client, sizeof *client);
        return TN_ERR_NOMEM;
    }
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->changed, NULL);
    *out_client = client;
    return TN_OK;
}

static void stop(HttpClient *client)
{
    pthread_mutex_lock(&client->lock);
    bool running = client->running;
    client->leaving = true;
    pthread_mutex_unlock(&client->lock);
    if (!running)
        return;
    uv_async_send(&client->wake);
    pthread_join(client->thread, NULL);
    (void)uv_loop_close(&client->loop);
    curl_slist_free_all(client->resolve);
}

void http_client_free(HttpClient *client)
{
    /* in a child that the host forked there is no such thread, and its lock may be held for ever */
    if (!client || client->owner != getpid())
        return;
    stop(client);
    pthread_cond_destroy(&client->changed);
    pthread_mutex_destroy(&client->lock);
    arena_release(&client->arena);
    tn_allocator allocator = client->allocator;
    memory_free(&allocator, client, sizeof *client);
}
