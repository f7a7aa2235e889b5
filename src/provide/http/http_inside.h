/* What the parts of the HTTP client share. Outside of `lock` (said at each member), everything is
 * touched by the client's thread alone. Times are of the loop's clock, in ms. */
#ifndef TENON_HTTP_INSIDE_H
#define TENON_HTTP_INSIDE_H

#include <pthread.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <uv.h>

#include "arena.h"
#include "base.h"
#include "buf.h"
#include "curl_loop.h"
#include "http_client.h"
#include "memory.h"
#include "origin.h"

/* A URL, taken apart. In an arena. */
typedef struct Place {
    bool secure;
    const char *host; /* small letters; an IPv6 address without brackets */
    unsigned port;
    const char *path;  /* "/" at least, dot segments gone */
    const char *query; /* without its "?"; NULL: none */
    const char *url;   /* all of it, without a fragment: what is shown */
} Place;

typedef struct Transfer Transfer;

struct Transfer {
    Transfer *next, *previous; /* of the client, under its lock */
    Transfer *next_new;        /* not taken over by the thread yet; or waiting for its turn */
    HttpClient *client;
    Arena arena; /* what was asked for, and the places */
    HttpRequest request;
    tn_call *call;
    HttpDone done;
    void *user;
    bool taken; /* by the thread, which alone ends it from then on */
    bool begun;
    bool aborted; /* under the lock */
    uint64_t due;

    /* the hop */
    Place place;
    const HttpGrant *grant;
    const char *method;
    bool has_body;
    bool crossed; /* another origin than the one before: the program's own credentials are gone */
    unsigned hops;
    CURL *easy;
    struct curl_slist *headers;
    char curl_error[CURL_ERROR_SIZE];
    char refused[64]; /* an address that it must not connect to */

    /* the answer */
    unsigned status;
    Buf head; /* the status text, then name and value of each header; each ends in NUL */
    size_t header_count;
    bool head_done;       /* what follows are trailers */
    const char *location; /* a redirect that is followed: where to; in `head` */
    size_t skipped;       /* bytes of a body that nobody wants */
    Buf body;
    const char *fault; /* why libcurl was told to end it: a code, and words for it */
    const char *fault_words;
};

struct HttpClient {
    tn_allocator allocator;
    unsigned open_most;
    struct curl_slist *resolve;
    Arena arena; /* the options */
    const char **resolve_options;
    pid_t owner;
    pthread_t thread;

    pthread_mutex_t lock;
    pthread_cond_t changed;       /* a waited-for transfer has ended */
    bool running, leaving, sweep; /* under lock, like all to the blank line */
    Transfer *first;
    Transfer *incoming, *incoming_last;

    uv_loop_t loop;
    uv_async_t wake;
    CurlLoop curl;
    bool has_curl, ending;
    unsigned open;
    Transfer *waiting, *waiting_last;
};

/* ---- place.c ---- */

/** Take a URL apart; `base` NULL: it is absolute. NULL, or what is wrong with it. */
const char *place_read(Arena *arena, const char *url, const Place *base, Place *out_place);
/** As an origin is written: "https://host:8080". */
const char *place_origin(Arena *arena, const Place *place);
bool place_same_origin(const Place *a, const Place *b);
/** Percent-encoded, as a parameter's name or value. */
void place_encode(Buf *out, const char *text);
/** Its URL with a parameter of the query set. */
const char *place_with_parameter(Arena *arena, const char *url, const char *name,
                                 const char *value);

/* ---- grant.c ---- */

/** The first grant that covers it; NULL, and why in `out_why` (in the arena). */
const HttpGrant *grant_find(const HttpRequest *request, const Place *place, const char *method,
                            Arena *arena, const char **out_why);

/* ---- address.c ---- */

/** Is it on the public internet, in every spelling? */
bool address_is_public(const struct sockaddr *address);
/** May a grant's request to this host connect there? */
bool address_allowed(const HttpGrant *grant, const struct sockaddr *address);
/** The same for an address as text. */
bool address_text_allowed(const HttpGrant *grant, const char *text);

/* ---- request.c ---- */

/** A request taken over. NULL: no memory; else `*out_fault` says what is wrong with it, or is NULL.
 */
Transfer *transfer_new(HttpClient *client, const HttpRequest *request, const char **out_fault);
void transfer_free(Transfer *transfer);
/** The headers that go out on this hop. False: no memory, or `fault` is set. */
bool transfer_headers(Transfer *transfer);
/** The URL that goes out, a grant's parameters added; NULL: no memory. */
const char *transfer_url(Transfer *transfer);

/* ---- redirect.c ---- */

/** Does this answer say to go elsewhere, and is that wanted? */
bool redirect_wanted(const Transfer *transfer);
/** Set the transfer up for its next hop. False: `fault` is set. */
bool redirect_follow(Transfer *transfer);

/* ---- transfer.c ---- */

/** Send this hop. False: `fault` is set, or there is no memory. */
bool transfer_send(Transfer *transfer);
/** Forget what was heard, for another hop. */
void transfer_clear(Transfer *transfer);
/** It ends by an answer, a fault of its own, or by what libcurl says. Frees it. */
void transfer_finish(Transfer *transfer, CURLcode code);
/** It is not to be. Frees it. */
void transfer_fail(Transfer *transfer, const char *code, const char *words, bool retryable);
/** Keep a fault; false. */
bool transfer_fault(Transfer *transfer, const char *code, const char *words);

/* ---- client.c ---- */

/** Out of the client's list. */
void client_forget(Transfer *transfer);

/* ---- secrets.c ---- */

/** Append text without the request's secrets. */
void secrets_scrub(const HttpRequest *request, Buf *out, const void *text, size_t length);
/** base64 of it, as basic authentication has it. */
void secrets_base64(Buf *out, const char *text, size_t length);

#endif
