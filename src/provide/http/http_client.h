/* The HTTP client: what goes out to the web, and only where it may.
 *
 * A request names what it may reach: a list of grants (an origin, methods, a beginning of the path,
 * whether addresses of private networks count), each with the credentials to attach there. The
 * request is held against them before it is sent, again at every redirect, and the address again at
 * the moment of connecting, so that it does not matter what a name resolved to before. One thread
 * with one loop (libuv) and libcurl's multi interface does all requests of an engine.
 *
 * Reading order:
 *
 *   http_client.h   this file
 *   http_inside.h   what the parts share: client, transfer, place
 *   place.c         a URL, taken apart once and put together again: what libcurl gets
 *   grant.c         may this place be reached? the path without its tricks
 *   address.c       may this address be connected to?
 *   request.c       a request taken over: what is sent, hop by hop, credentials included
 *   redirect.c      what an answer says about the next hop
 *   transfer.c      one transfer on libcurl: begun, heard, ended
 *   client.c        the thread, what others hand it, cancelling, the end
 *   secrets.c       secrets taken out of what came back
 *
 * The invariant: nothing is sent to a place that no grant of the request covers, and no credential
 * to a place that its own grant does not cover; and `done` is called exactly once for each request.
 */
#ifndef TENON_HTTP_CLIENT_H
#define TENON_HTTP_CLIENT_H

#include <stdbool.h>

#include "http_grant.h"
#include "tenon.h"

typedef struct HttpHeader {
    const char *name; /* ends in NUL, like the value */
    const char *value;
} HttpHeader;

typedef enum HttpRedirect {
    HTTP_REDIRECT_FOLLOW,
    HTTP_REDIRECT_ERROR,
    HTTP_REDIRECT_MANUAL
} HttpRedirect;

/* Zero where not said otherwise. Everything is copied: nothing needs to outlive the call. */
typedef struct HttpRequest {
    const char *method; /* NULL: GET */
    const char *url;    /* absolute, http or https */
    const HttpHeader *headers;
    size_t header_count;
    const void *body;
    size_t body_length; /* a body of 0 bytes is one if `body` is not NULL */
    HttpRedirect redirect;
    const HttpGrant
        *grants; /* the first that covers the place is taken; what follows adds nothing */
    size_t grant_count;
    const char *missing_grant; /* how one would be given, for the error; NULL: nothing is said */
    uint32_t timeout_ms;       /* from the call to the last byte; 0: 60,000 */
    uint64_t body_most;        /* of the answer, decoded; 0: 8 MiB */
    uint64_t number;           /* the caller's own for it, for http_abort; 0: none */
} HttpRequest;

/* Secrets of the request's credentials are not in it. Valid during `done`. */
typedef struct HttpAnswer {
    const char *error; /* NULL: there is an answer. Else "denied", "network", "timeout", "limit",
                          "redirect", "cancelled", "unavailable", "arguments" */
    const char *message;
    bool retryable;
    unsigned status;
    const char *status_text;
    const HttpHeader *headers; /* names in small letters; in the order they came */
    size_t header_count;
    const uint8_t *body;
    size_t body_length;
    const char *url; /* of the last hop; credentials of a grant are not in it */
    bool redirected;
} HttpAnswer;

/* The answer is here: write it into the call's result, or fail the call. Called exactly once, also
 * when the call was cancelled meanwhile (then nobody reads what it writes), on the client's thread
 * or, where nothing could be sent, on the caller's before http_call returns. The call is finished
 * after it. `call` is the one that was passed. */
typedef void (*HttpDone)(void *user, tn_call *call, const HttpAnswer *answer);

typedef struct HttpClient HttpClient;

typedef struct HttpClientOptions {
    const tn_allocator *allocator; /* NULL: the C library's */
    unsigned open_most;            /* requests at once, others wait; 0: 64 */
    /* "name:port:address[,address...]" in place of what a name resolves to; ends with NULL. For
     * tests: addresses are held against the grants all the same. */
    const char *const *resolve;
} HttpClientOptions;

/** Nothing runs before the first request. Errors: TN_ERR_NOMEM. */
tn_status http_client_new(const HttpClientOptions *options, HttpClient **out_client);
/** Ends what is open; each `done` has been called when it returns. */
void http_client_free(HttpClient *client);

/** Send a request and answer the call by it, later: the call is deferred here. Threads: any. */
void http_call(HttpClient *client, const HttpRequest *request, tn_call *call, HttpDone done,
               void *user);

/** The same for who has no call and can wait: `done` gets NULL for it, before this returns. */
void http_wait(HttpClient *client, const HttpRequest *request, HttpDone done, void *user);

/** Nobody wants the answer to the request of that number any more: it ends as cancelled. */
void http_abort(HttpClient *client, uint64_t number);

#endif
