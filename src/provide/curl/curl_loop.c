#include "curl_loop.h"

#include <signal.h>

#include "memory.h"

typedef struct Watch {
    uv_poll_t poll;
    CurlLoop *curl;
    tn_allocator allocator; /* it may be freed after the loop's owner is */
    curl_socket_t socket;
} Watch;

static void act(CurlLoop *curl, curl_socket_t socket, int what)
{
    int running;

    curl->inside = true;
    (void)curl_multi_socket_action(curl->multi, socket, what, &running);
    curl->inside = false;
    curl->worked(curl->context);
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
    Watch *watch = poll->data;
    int what = status < 0 ? CURL_CSELECT_ERR : 0;

    what |= (events & UV_READABLE ? CURL_CSELECT_IN : 0) |
            (events & UV_WRITABLE ? CURL_CSELECT_OUT : 0);
    act(watch->curl, watch->socket, what);
}

static void watch_closed(uv_handle_t *handle)
{
    Watch *watch = handle->data;
    tn_allocator allocator = watch->allocator;

    memory_free(&allocator, watch, sizeof *watch);
}

static Watch *watch_new(CurlLoop *curl, curl_socket_t socket)
{
    Watch *watch = memory_new(&curl->allocator, sizeof *watch);

    if (!watch)
        return NULL;
    watch->curl = curl;
    watch->allocator = curl->allocator;
    watch->socket = socket;
    watch->poll.data = watch;
    if (uv_poll_init_socket(curl->loop, &watch->poll, socket) != 0) {
        memory_free(&curl->allocator, watch, sizeof *watch);
        return NULL;
    }
    (void)curl_multi_assign(curl->multi, socket, watch);
    return watch;
}

static int want_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *assigned)
{
    CurlLoop *curl = context;
    Watch *watch = assigned;

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (watch) {
            (void)uv_poll_stop(&watch->poll);
            uv_close((uv_handle_t *)&watch->poll, watch_closed);
            (void)curl_multi_assign(curl->multi, socket, NULL);
        }
        return 0;
    }
    watch = watch ? watch : watch_new(curl, socket);
    if (!watch)
        return -1;
    int events =
        (what != CURL_POLL_OUT ? UV_READABLE : 0) | (what != CURL_POLL_IN ? UV_WRITABLE : 0);
    return uv_poll_start(&watch->poll, events, on_socket) == 0 ? 0 : -1;
}

static void on_time(uv_timer_t *timer)
{
    act(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int want_time(CURLM *multi, long ms, void *context)
{
    CurlLoop *curl = context;

    (void)multi;
    if (ms < 0)
        uv_timer_stop(&curl->timer);
    else
        uv_timer_start(&curl->timer, on_time, (uint64_t)ms, 0);
    return 0;
}

tn_status curl_loop_open(CurlLoop *curl, uv_loop_t *loop, const tn_allocator *allocator)
{
    curl->allocator = *allocator;
    curl->loop = loop;
    curl->multi = curl_multi_init();
    if (!curl->multi)
        return TN_ERR_NOMEM;
    (void)uv_timer_init(loop, &curl->timer);
    curl->timer.data = curl;
    curl_multi_setopt(curl->multi, CURLMOPT_SOCKETFUNCTION, want_socket);
    curl_multi_setopt(curl->multi, CURLMOPT_SOCKETDATA, curl);
    curl_multi_setopt(curl->multi, CURLMOPT_TIMERFUNCTION, want_time);
    curl_multi_setopt(curl->multi, CURLMOPT_TIMERDATA, curl);
    return TN_OK;
}

static void timer_closed(uv_handle_t *handle)
{
    CurlLoop *curl = handle->data;

    curl->closed(curl->context);
}

/* libcurl takes its sockets off the loop by want_socket before it closes them. */
void curl_loop_close(CurlLoop *curl, void (*closed)(void *context))
{
    curl->closed = closed;
    curl->inside = true;
    (void)curl_multi_cleanup(curl->multi);
    uv_close((uv_handle_t *)&curl->timer, timer_closed);
}

void *curl_loop_finished(CurlLoop *curl, CURLcode *out_code)
{
    CURLMsg *message;
    int left;
    void *owner;

    while ((message = curl_multi_info_read(curl->multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE)
            continue;
        *out_code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&owner);
        return owner;
    }
    return NULL;
}

bool loop_thread_start(pthread_t *thread, void *(*run)(void *context), void *context)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    bool started;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1024 * 1024);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(thread, &attributes, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}
