/* libcurl's multi interface on a libuv loop: sockets and one timer. Who uses it adds and removes
 * handles only while `inside` is false: libcurl calls back while it is at work. */
#ifndef TENON_CURL_LOOP_H
#define TENON_CURL_LOOP_H

#include <pthread.h>
#include <stdbool.h>
#include <uv.h>

#include "curl_lazy.h"
#include "tenon.h"

typedef struct CurlLoop CurlLoop;

struct CurlLoop {
    tn_allocator allocator;
    uv_loop_t *loop;
    CURLM *multi;
    uv_timer_t timer;
    bool inside; /* libcurl is at work: nothing may be added or removed */
    void *context;
    void (*worked)(void *context); /* libcurl has done something, and is not at work any more */
    void (*closed)(void *context);
};

/** `context` and `worked` are set. With curl_open() not NULL. Errors: TN_ERR_NOMEM. */
tn_status curl_loop_open(CurlLoop *curl, uv_loop_t *loop, const tn_allocator *allocator);
/** Every handle has been removed. `closed` is told when its memory is of no use any more. */
void curl_loop_close(CurlLoop *curl, void (*closed)(void *context));
/** What is private (CURLOPT_PRIVATE) to a handle that has ended, and how it ended; NULL: none. */
void *curl_loop_finished(CurlLoop *curl, CURLcode *out_code);

/** A thread of the library's own: all signals blocked in it, since the host's handlers run on the
 * host's threads, and a pipe or socket whose other end is gone is told by an error. */
bool loop_thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
