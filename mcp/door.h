/*
 * mcp: Tenon as an MCP server, for any agent that speaks the protocol.
 *
 * In place of hundreds of tools a client sees three: `search` and `describe` find the functions
 * that programs may call, `run` checks a program and runs it. Spoken over standard input and
 * output, one message a line, or over HTTP, in both eras of the protocol: stateless (2026-07-28)
 * and with a handshake (2025-11-25 and before); the era is told by each request itself.
 *
 * Reading order: door.c (the engine, opened meanwhile; the end), engine.c (another one in its
 * place), stdio.c (lines in, one at a time,
 * until the input ends) and http.h with its files (the other transport), message.c (one request:
 * what it is and which era it belongs to; writing answers), methods.c (what the server offers),
 * tools.c (search, describe; what tools take), job.c (a program being run, on a thread of its own),
 * ask.c (what the policy wants to be asked, put to who sits before the client), answer.c (what is
 * told of an outcome), keep.c (values that were too long to be shown, kept as resources).
 *
 * What a team publishes besides (--config): config.c (the file), items.c (found, compiled, begun),
 * offer.c (prompts, resources, completions), client.c (what its programs say to the client and ask
 * of it), answer_item.c (what is told of their values), watch.c (who is told of changes). There is
 * no second way for them: they are jobs as programs of a model are.
 *
 * The invariant: every request is answered once, with its own id, whole messages at a time, to
 * where it came from (a Sink): message.c and what comes after it know no transport. Over standard
 * output nothing but messages goes.
 */
#ifndef TENON_MCP_DOOR_H
#define TENON_MCP_DOOR_H

#include <tenon.h>

/** What else a server offers: tools, prompts and resources of its own (docs/mcp.md). */
typedef struct DoorConfig DoorConfig;

/**
 * Read a configuration. Names of files in it are looked for in `folder`.
 *
 * Ownership: the document is copied. NULL: it is none; `fault` says where and why. The runs of the
 * door that has it must be over before it is freed.
 */
DoorConfig *door_config_new(tn_value document, const char *folder, char *fault, size_t room);
void door_config_free(DoorConfig *config);
/** What its programs call, into the engine, before that is opened. TN_ERR_STATE: there is a package
 * `client` already. */
tn_status door_config_add(const DoorConfig *config, tn_engine *engine);

typedef struct DoorOptions {
    tn_limits limits;        /* of each run, and the most that a client may ask for */
    const tn_policy *policy; /* NULL: none */
    tn_journal *journal;     /* NULL: none */
    tn_journal_level journal_level;
    unsigned tokens; /* of each answer; 0: 4000 */
    unsigned jobs;   /* programs at one time; 0: 8 */
    /* Opens the engine, on a thread of its own: clients are greeted meanwhile, and what they ask
     * for waits. Returns 0 if it could. NULL: it is open. */
    int (*open)(tn_engine *engine, const tn_policy *policy);
    /* Makes another one, open, when what servers offer has changed (tn_engine_outdated), on a
     * thread of its own. NULL is answered, or stands here: there is none. */
    tn_engine *(*renew)(const void *context);
    const void *context;
    DoorConfig *config;                 /* NULL: none */
    void (*complain)(const char *text); /* what is wrong with its programs; any thread */
} DoorOptions;

typedef enum DoorEnd {
    DOOR_ENDED = 0,
    DOOR_BROKEN,    /* the output cannot be written */
    DOOR_OPENING,   /* the engine is still being opened, on a thread: it cannot be freed */
    DOOR_NO_LIBRARY /* libmicrohttpd is not there */
} DoorEnd;

/** Serve until the input ends: running programs are cancelled then. The engine is taken over, here
 * and below, and freed unless the end is DOOR_OPENING. */
DoorEnd door_stdio(tn_engine *engine, const DoorOptions *options);

/* ---- HTTP ---- */

typedef enum HttpFault {
    HTTP_FINE = 0,
    HTTP_NO_ADDRESS,  /* that is no HOST:PORT of this machine */
    HTTP_OPEN_TO_ALL, /* others could come, and no token is asked for */
    HTTP_TAKEN        /* the address cannot be listened at: errno says why */
} HttpFault;

/** A socket that listens. */
typedef struct HttpPlace {
    int fd;
    bool loopback;
    char url[300];
} HttpPlace;

/** Listen at "PORT", "HOST:PORT" or "[HOST]:PORT"; port 0 is one that is free. */
HttpFault http_listen(const char *text, bool has_token, HttpPlace *out_place);

typedef struct HttpOptions {
    HttpPlace place;            /* its socket is taken over */
    const char *token;          /* what clients must show; NULL: nothing */
    const char *const *origins; /* pages that are let in, beside those of this machine */
    size_t origin_count;
    void (*ready)(const char *url);
} HttpOptions;

/** Serve until SIGINT, SIGTERM or SIGHUP: running programs are cancelled then. */
DoorEnd door_http(tn_engine *engine, const DoorOptions *options, const HttpOptions *http);

#endif
