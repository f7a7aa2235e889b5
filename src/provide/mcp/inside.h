/* What the parts of the MCP client share. Outside of `lock` (said at each member), everything is
 * touched by the client's thread alone. Times are of the loop's clock, in ms; 0 is never. */
#ifndef TENON_MCP_INSIDE_H
#define TENON_MCP_INSIDE_H

#include <pthread.h>
#include <sys/types.h>
#include <uv.h>

#include "arena.h"
#include "base.h"
#include "buf.h"
#include "mcp.h"
#include "memory.h"

typedef struct Link Link;         /* a process: link.c */
typedef struct Http Http;         /* a URL: http.c */
typedef struct Exchange Exchange; /* one HTTP request */
typedef struct Pending Pending;

typedef enum Era { ERA_UNKNOWN, ERA_MODERN, ERA_HANDSHAKE } Era;

typedef enum PendingKind {
    PENDING_DISCOVER,
    PENDING_INITIALIZE,
    PENDING_LIST,
    PENDING_LISTEN, /* for changes of the tools */
    PENDING_CALL
} PendingKind;

/* A request of ours that is not answered. */
struct Pending {
    Pending *next, *previous; /* of the server; `next` also links those not yet taken over */
    McpServer *server;
    PendingKind kind;
    bool listed;
    int64_t id;         /* of what was sent last; 0: nothing yet */
    bool delivered;     /* all of it has left us: it may have happened */
    Exchange *exchange; /* that carries it */
    uint64_t idle_due, total_due;
    double progress; /* the last that was told */

    /* of a call */
    tn_call *call;
    Buf tool;      /* ends in NUL */
    Buf arguments; /* JSON */
    Buf answers; /* JSON members for the next round: "inputResponses":{...},"requestState":"..." */
    unsigned rounds;  /* that the server asked for */
    unsigned asked;   /* questions open */
    unsigned renewed; /* sent again in a new session */
};

typedef enum ServerState {
    SERVER_IDLE,     /* not started, or ended: the next call starts it */
    SERVER_STARTING, /* until its tools are known */
    SERVER_READY,
    SERVER_FAILED /* it could not be started */
} ServerState;

/* A walk over the pages of tools/list. */
typedef struct Listing {
    bool open;
    unsigned pages;
    uint32_t count;
    Buf tools;     /* CBOR, one after another */
    Buf names;     /* each with a NUL */
    Buf cursors;   /* each with a NUL */
    Buf notes;     /* each with a NUL */
    bool headers;  /* some tool mirrors arguments in headers */
    double ttl_ms; /* the shortest of its pages'; NaN */
} Listing;

/* The public catalogue and what it is made of. */
typedef struct Catalogue {
    McpCatalogue shown;
    tn_allocator allocator;
    Arena arena;
    Buf bytes;           /* CBOR: about, then tools */
    unsigned references; /* atomic */
    bool headers;        /* some tool mirrors arguments in headers */
} Catalogue;

struct McpServer {
    McpServer *next;
    McpClient *client;
    Arena arena; /* the options */
    const char *name, *command, *folder, *url;
    const char **arguments, **environment, **headers;
    uint32_t start_ms, call_ms, call_most_ms;

    /* under the client's lock */
    bool wanted;          /* to be started */
    uint64_t asked;       /* catalogues asked for */
    uint64_t answered;    /* as many of them can be answered */
    Catalogue *catalogue; /* the newest; its error included */
    Catalogue *expected;  /* what callers know; NULL */
    bool as_expected;     /* the newest has the same tools */
    Buf lines;            /* logged, the newest at the end */

    /* of the client's thread */
    ServerState state;
    bool stale; /* its tools have changed since */
    uint64_t relist_due, relisted_at;
    Era era; /* once known, kept over restarts */
    const char *revision;
    Link *link;
    Http *http;
    Pending *pending, *pending_last;
    McpQuestion *questions;
    unsigned open_questions;
    uint64_t asked_at; /* since when somebody is asked */
    int64_t last_id;
    bool spoke;          /* something that is of the protocol */
    bool greeted;        /* initialize was sent */
    bool probed_again;   /* since it said that it knows the revision it has just refused */
    uint64_t listen_due; /* a subscription to changes is made again then */
    unsigned listen_failures;
    bool delayed;       /* waits for `not_before` to begin */
    uint64_t probe_due; /* silence until then: it is of the other era */
    uint64_t start_due, ready_at;
    uint64_t not_before; /* it is not started again before */
    unsigned failures;   /* in a row */
    Buf about;           /* what it said when greeted, CBOR */
    bool lists_changes;
    Listing listing;
    char oddity[160]; /* the last thing it did that is not of the protocol */
    unsigned oddities;
};

struct McpClient {
    tn_allocator allocator;
    McpHost host;
    Arena arena;
    const char **environment; /* the safe ones */
    uint64_t message_bytes;
    uint32_t listed_tools;
    pid_t owner;
    pthread_t thread;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool running, leaving; /* under lock, like all to the blank line */
    bool sweep;            /* some call was cancelled */
    bool asked;            /* some server is wanted */
    Pending *incoming;     /* the oldest first */
    Pending *incoming_last;
    McpQuestion *answered;
    McpServer *servers;

    uv_loop_t loop;
    uv_async_t wake;
    uv_timer_t timer;
    uint64_t timer_due;
    Link *links; /* those let go included */
    struct HttpLoop *http;
    bool ending;
    char space[64 * 1024]; /* to read into */
};

/* ---- client.c ---- */

uint64_t client_now(const McpClient *client);
/** The tick is to come at `due` at the latest. */
void client_due(McpClient *client, uint64_t due);
/** Something that keeps the loop alive has ended: is it all? */
void client_left(McpClient *client);
/** Have the thread running. TN_ERR_STATE in a forked child, TN_ERR_SYSTEM. With the lock held. */
tn_status client_run(McpClient *client);
void client_wake(McpClient *client);

/* ---- public.c ---- */

void server_release(McpServer *server);
/** The catalogues asked for can be answered; by this one, which is taken, or (NULL) the last. */
void server_answer(McpServer *server, Catalogue *catalogue);
/** A line of its log, for the host and to be kept. */
void server_line(McpServer *server, const char *level, const char *text, size_t length);

/* ---- server.c: texts are predicates, "exited with status 1": the server's name is put before ----
 */

/** Do what it was asked for since. */
void server_attend(McpServer *server);
void server_start(McpServer *server);
void server_tick(McpServer *server, uint64_t now);
void server_end(McpServer *server);
/** What carried it is gone: its process or its session. */
void server_lost(McpServer *server, const char *text);
/** It cannot be used: it is ended, and what waits for it fails. */
void server_failed(McpServer *server, const char *code, const char *text);
/** The session that this request came in is over, so it was not looked at: it is made again, and if
 * the session was the `current` one, the server is greeted anew before that. */
void server_renew(McpServer *server, Pending *pending, bool current);
/** Its tools are known. */
void server_ready(McpServer *server);
/** Answers to what the start asked; `result` NULL: an error was answered, or the transport refused
 * it with `complaint`. */
void server_discovered(McpServer *server, const tn_value *result, tn_value error);
void server_greeted(McpServer *server, const tn_value *result, const char *complaint);
void server_initialized(McpServer *server);
/** Its tools have changed: they are listed soon, if the host wants to know. */
void server_relist(McpServer *server);
/** It does not tell of changes any more. */
void server_unheard(McpServer *server);

/* ---- pending.c ---- */

Pending *pending_new(McpServer *server, PendingKind kind);
void pending_append(Pending *pending);
/** Out of its server's list, and gone. The call, if any, has been finished. */
void pending_free(Pending *pending);
Pending *pending_find(const McpServer *server, int64_t id);
Pending *pending_of_kind(const McpServer *server, PendingKind kind);
const char *pending_method(const Pending *pending);
/** Begin a request with a new id. */
void pending_begin(Pending *pending, Buf *message, const char *method);
/** Send what was begun; releases the message. */
void pending_send(Pending *pending, Buf *message);
/** Tell the server that nobody waits for it any more. */
void pending_abandon(Pending *pending, const char *reason);
/** Send what is no request; releases the message. */
void server_send(McpServer *server, Buf *message);

/* ---- words.c ---- */

/** It did something that is not of the protocol; it is told if nothing better is known. */
__attribute__((format(printf, 2, 3))) void server_odd(McpServer *server, const char *format, ...);
/** Append text of the other side without secrets. */
void server_scrub(const McpServer *server, Buf *out, const char *text, size_t length);
/** The same for the texts of a result, of which only credentials are taken out. */
void server_scrub_result(const McpServer *server, tn_writer *result);
/** The same on one line, without controls, cut to `most` bytes. `out` is ended by a NUL. */
const char *server_clean(const McpServer *server, Buf *out, const char *text, size_t length,
                         size_t most);
/** What it did so far, for a message: its last words or its last oddity; "" if none. */
void server_behaviour(const McpServer *server, Buf *out);

/* ---- catalogue.c ---- */

void listing_begin(McpServer *server);
/** `result` NULL: it failed, with an error that says the method is `unknown` or another. */
void listing_page(McpServer *server, const tn_value *result, const char *complaint, bool unknown);
void listing_release(Listing *listing);
/** A catalogue that says why there is none. NULL: no memory. */
Catalogue *catalogue_of_error(const McpServer *server, const char *text);
/** The tool of that name as sent; TN_TYPE_NONE. */
tn_value catalogue_tool(const Catalogue *catalogue, const char *name);
Catalogue *catalogue_new(const tn_allocator *allocator);
void catalogue_ref(Catalogue *catalogue);
/** Who the server says it is. */
void catalogue_show_about(Catalogue *catalogue, tn_value about);

/* ---- kept.c ---- */

/** Have both the same tools? */
bool catalogue_same(const Catalogue *a, const Catalogue *b);
/** Is the called tool what its caller knows? If not, the call has failed. */
bool call_expected(Pending *pending);

/* ---- call.c ---- */

void call_arrived(Pending *pending);
void call_send(Pending *pending);
/** All that waited for the start. */
void calls_flush(McpServer *server);
void call_answered(Pending *pending, tn_value result);
__attribute__((format(printf, 4, 5))) void call_fail(Pending *pending, const char *code,
                                                     bool retryable, const char *format, ...);
/** What it asked for, in a message. */
const char *pending_name(const Pending *pending);
/** A request of ours ended without a result. `error`: as answered, or TN_TYPE_NONE. */
void pending_failed(Pending *pending, const char *code, const char *complaint, tn_value error);
void call_progress(McpServer *server, tn_value params);
void calls_tick(McpServer *server, uint64_t now);
void calls_swept(McpServer *server);

/* ---- result.c ---- */

/** Write the value of a tools/call result. False: it is an error, and says in `out_error` what. */
bool result_write(tn_value result, tn_writer *writer, Buf *out_error, const char **out_code);

/* ---- question.c ---- */

/** Ask what a round of a call needs, then send the call again. */
void questions_ask(Pending *pending, tn_value result);
/** A request elicitation/create with this id (JSON). */
void question_request(McpServer *server, const char *id, size_t length, tn_value params);
void question_answered(McpQuestion *question);
/** The server has taken this request of it back. */
void question_withdrawn(McpServer *server, tn_value id);
/** Nobody waits for these answers any more. `pending` NULL: all of the server. */
void questions_drop(McpServer *server, const Pending *pending);

/* ---- receive.c ---- */

/** A whole message. `via`: what it answers, where the transport knows. */
void server_receive(McpServer *server, Pending *via, const char *text, size_t length);
/** An answer that was too long to keep. */
void server_receive_long(McpServer *server, Pending *via, int64_t id, uint64_t length);

/* ---- message.c ---- */

extern const char mcp_modern[];
extern const char *const mcp_handshakes[]; /* the newest first; ends with NULL */

/** {"jsonrpc":"2.0","id":...,"method":...,"params":{ */
void message_request(Buf *out, int64_t id, const char *method);
void message_notification(Buf *out, const char *method);
/** The request's `_meta`, as the last member, and the end. `first`: no member stands before. */
void message_end(Buf *out, const McpServer *server, Era era, int64_t progress_token, bool first);
void message_answer_begin(Buf *out, const char *id, size_t length);
void message_json_string(Buf *out, const char *text, size_t length);
void message_int(Buf *out, int64_t value);
void message_client_info(Buf *out);
void message_capabilities(Buf *out, const McpServer *server);

/* ---- link.c ---- */

/** NULL: it could not be started, and `out_why` (of the arena's) says why. */
Link *link_new(McpServer *server, Buf *out_why);
/** Write one line. `id`: of the request in it, or 0. False: it reads too little of what it is sent.
 */
bool link_send(Link *link, const char *text, size_t length, int64_t id);
/** Let go of the server and end the process, in time. */
void link_end(Link *link);
/** What it last wrote to standard error. */
const char *link_last_words(const Link *link);

/* ---- http.c, exchange.c ---- */

tn_status http_loop_new(McpClient *client);
/** Nothing is open of it. */
bool http_loop_idle(const McpClient *client);
void http_loop_close(McpClient *client);
Http *http_new(McpServer *server, Buf *out_why);
/** `pending` NULL: no request. */
void http_send(Http *http, Pending *pending, const char *text, size_t length);
/** The answer of an exchange is of no use any more. */
void http_drop(Exchange *exchange);
/** Nothing of the exchange's request has left us. */
bool http_untouched(const Exchange *exchange);
/** The handshake is done: send this notification, then open the server's own stream and go on with
 * server_initialized. */
void http_greeted(Http *http, const char *text, size_t length);
void http_tick(Http *http, uint64_t now);
void http_end(Http *http);

/* ---- headers.c ---- */

/** Does some property of this tool's schema mirror in a header? False in `out_good`: it says so in
 * a way that the protocol forbids. */
bool headers_wanted(tn_value tool, bool *out_good);

#endif
