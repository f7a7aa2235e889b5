/*
 * The door over HTTP: one address, both eras.
 *
 * Reading order: http.c (the socket, the daemon, signals, the end), guests.c (connections: whose
 * time is up), visit.c (one request from its first byte to its answer), gate.c (may it come in:
 * origin, host, token, path), sessions.c (clients that shook hands), headers.c (what the headers
 * say against what the message says), exchange.c (the sink: an answer as JSON, or as a stream of
 * events; and noticing that nobody listens any more), library.c (libmicrohttpd, opened with the
 * first use).
 *
 * A thread for each connection, lent by the library. A job's thread puts text into an exchange and
 * signals it; the connection's thread takes it out. An exchange lives as long as either holds it.
 */
#ifndef TENON_MCP_HTTP_H
#define TENON_MCP_HTTP_H

#include "inside.h"
#include "library.h"

enum {
    BODY_MOST = 8 << 20,   /* of a message */
    HEAD_MOST = 32 << 10,  /* memory of a connection: its line and headers */
    GUESTS_MOST = 128,     /* connections at one time */
    SESSIONS_MOST = 256,   /* clients that shook hands */
    IDLE_S = 30,           /* a connection outside of a request, or in its headers */
    CROWDED_S = 2,         /* the same when there is hardly a place left */
    BODY_S = 60,           /* a message that is coming, an answer that is being taken */
    SESSION_S = 24 * 3600, /* a session that nobody uses */
    JSON_MS = 300,         /* so long an answer may still be plain JSON; then a stream begins */
    KEEP_ALIVE_MS = 10000, /* of a stream without news */
    LOOK_MS = 250          /* how long a wait may miss that the door closes */
};

typedef struct Http Http;

/* ---- guests ---- */

typedef enum GuestState { GUEST_IDLE, GUEST_BODY, GUEST_WAITING, GUEST_WRITING } GuestState;

typedef struct Guest {
    int fd;
    GuestState state;
    time_t since;
    struct Guest *next;
} Guest;

/* ---- sessions ---- */

typedef struct Session {
    Peer peer; /* first */
    char id[36];
    time_t used;
    unsigned refs; /* of exchanges, and one of the table; under the lock of `Http` */
    struct Session *next;
} Session;

struct Http {
    Door *door;
    const HttpOptions *options;
    const Mhd *mhd;
    struct MHD_Daemon *daemon;
    bool loopback;        /* nobody from elsewhere can come */
    pthread_mutex_t lock; /* of the rest; taken last */
    Guest *guests;
    unsigned guest_count;
    Session *sessions;
    unsigned session_count;
};

/* Called by the library when connections come and go, and requests are done with. */
void guest_notify(void *http, struct MHD_Connection *connection, void **guest,
                  enum MHD_ConnectionNotificationCode code);
void guest_state(Http *http, struct MHD_Connection *connection, GuestState state);
/* Close those whose time is up. */
void guests_look(Http *http);

/* NULL: no memory. A reference is the caller's. */
Session *session_new(Http *http);
/* A reference, or NULL. */
Session *session_find(Http *http, const char *id);
void session_unref(Http *http, Session *session);
/* False: there was none. What it began is cancelled. */
bool session_end(Http *http, const char *id);
void sessions_look(Http *http);
void sessions_release(Http *http);

/* ---- exchanges ---- */

/* Text that waits to be written. */
typedef struct Piece {
    struct Piece *next;
    size_t length, taken;
    char text[];
} Piece;

typedef struct Exchange {
    Sink sink; /* first */
    Peer own;  /* of one without a session */
    Http *http;
    struct MHD_Connection *connection;
    Session *session;
    bool new_session; /* it was made by this request: the answer says its name */
    bool is_stream;   /* of its session: nothing was asked */
    bool takes_json, takes_events;
    char *body;
    size_t length, room;
    bool too_long;
    int wake; /* an eventfd: something was put */
    atomic_uint refs;
    pthread_mutex_t lock; /* of the rest */
    bool streams;         /* what comes is written as events */
    bool answered, gone;
    unsigned status;
    char *answer; /* as JSON, while it is no stream */
    size_t answer_length;
    Piece *first, *last;
    size_t waiting; /* bytes */
} Exchange;

Exchange *exchange_new(Http *http, struct MHD_Connection *connection);
void exchange_unref(Exchange *exchange);
/* Wait until something can be sent, or it is over. False: nobody is there any more, or the door
 * closes; what worked for it is cancelled if it is of the newer era. */
bool exchange_wait(Exchange *exchange, int most_ms);
/* Nobody listens. */
void exchange_leave(Exchange *exchange);
/* Its session's stream is this, or none any more. */
void exchange_stand(Exchange *exchange, Sink *sink);
/* Nothing more will be put. */
void exchange_end(Exchange *exchange);
/* From now on pieces are events; what came so far is the first of them. */
struct MHD_Response *exchange_stream(Exchange *exchange);

/* ---- a request ---- */

/* The library's handler, and what it calls when a request is over. */
enum MHD_Result visit(void *http, struct MHD_Connection *connection, const char *url,
                      const char *method, const char *version, const char *data, size_t *length,
                      void **state);
void visit_over(void *http, struct MHD_Connection *connection, void **state,
                enum MHD_RequestTerminationCode code);

/* 0: it may come in; else the status to turn it away with. */
unsigned gate(const Http *http, struct MHD_Connection *connection, const char *url);
/* The origin that a page of another address has, if it is one that is let in; else NULL. */
const char *gate_origin(const Http *http, struct MHD_Connection *connection);

/* Sink.admit: what the headers say against the message. */
bool headers_admit(Sink *sink, Request *request, const char *version, size_t length);
const char *header_of(const Http *http, struct MHD_Connection *connection, const char *name);
/* Of a version that has no sessions. */
bool header_modern(const Http *http, struct MHD_Connection *connection);

#endif
