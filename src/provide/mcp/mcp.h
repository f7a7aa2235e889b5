/* The MCP client: tools of other programs as functions.
 *
 * A server speaks JSON-RPC over its standard input and output, or over HTTP. This folder starts it,
 * finds out which of the two eras of the protocol it belongs to (stateless, 2026-07-28; or with a
 * handshake, 2024-11-05 to 2025-11-25), lists its tools, and answers calls by them. What a tool's
 * schema means, what the function is called and whether it may be called is decided elsewhere.
 *
 * Reading order, from what a caller sees to the bytes:
 *
 *   mcp.h        this file
 *   inside.h     what the parts share: client, server, pending request
 *   client.c     the thread, its loop, what others hand it, and the clock
 *   public.c     what other threads see of a server
 *   server.c     the life of a server: start, probe, handshake, ready, lost, started again
 *   catalogue.c  tools/list, page by page
 *   kept.c       a catalogue from an earlier start, and whether it still holds
 *   pending.c    a request that is not answered
 *   call.c       tools/call: sent, kept alive, cancelled, timed out
 *   result.c     what a tool said, as a value (the rule is written there)
 *   question.c   what a server asks of a person
 *   receive.c    a message that came: an answer, a notification, a request
 *   message.c    messages that go out
 *   link.c       a server as a process
 *   order.c      what its process is begun with; child.c begins it, lines.c cuts its output
 *   http.c       a server behind a URL
 *   exchange.c   one request of it, and libcurl on the loop; sse.c cuts event streams
 *   headers.c    headers that mirror parts of a call
 *   words.c      texts about a server, without what must not be in them
 *
 * The invariant: **every call that was deferred is finished once**, by an answer, by a limit, by
 * the server's end or by its run's, and always from the client's own thread. A Pending is where
 * such a call stands; it is in exactly one list of one server until that moment.
 *
 * Nothing is read from the environment and no signal handler is set. libcurl is loaded and
 * initialised once for the process, with the first URL (curl_lazy.c); that is the only thing that
 * outlives a client. */
#ifndef TENON_MCP_H
#define TENON_MCP_H

#include "buf.h"

typedef struct McpClient McpClient;
typedef struct McpServer McpServer;
/** Something that a server asks of a person, in the middle of a call or outside one. */
typedef struct McpQuestion McpQuestion;
typedef struct McpCatalogue McpCatalogue;

/** What the embedder is told and asked. All are called on the client's thread, must not block and
 * must not call mcp_server_catalogue or mcp_client_free; NULL: not wanted. */
typedef struct McpHost {
    void *user;
    /** Answer it with mcp_question_answer, at once or later. NULL: servers are told that nobody can
     * be asked, and what asks nevertheless is declined. */
    void (*elicit)(void *user, McpQuestion *question);
    /** The server's tools have changed: mcp_server_catalogue would give others. */
    void (*changed)(void *user, McpServer *server);
    /** The server has listed its tools, at a start or since. With this, a change is listed as soon
     * as it is told of. The catalogue is borrowed. */
    void (*listed)(void *user, McpServer *server, const McpCatalogue *catalogue);
    /** `total` is NaN and `message` NULL where the server said none. */
    void (*progress)(void *user, const tn_call *call, double progress, double total,
                     const char *message);
    /** A log notification, or a line of standard error (level "stderr"). */
    void (*log)(void *user, McpServer *server, const char *level, const char *text);
} McpHost;

/** Borrowed for the call. Zero: the default. */
typedef struct McpClientOptions {
    const tn_allocator *allocator; /* NULL: the C library's. libuv and libcurl use their own */
    McpHost host;
    /** The host's environment, "NAME=value", ends with NULL. Servers are given PATH, HOME, USER,
     * LOGNAME, SHELL, TERM, LANG, LC_ALL, LC_CTYPE, TZ and TMPDIR from it and nothing else; NULL:
     * not even these. */
    const char *const *environment;
    uint64_t message_bytes; /* of one message; 16 MiB. What is longer fails its call; a line of more
                               than four times as much ends the server */
    uint32_t listed_tools;  /* of one server; 10 000 */
} McpClientOptions;

/** Borrowed for the call. Either `command` or `url`. Zero: the default. */
typedef struct McpServerOptions {
    const char *name; /* what messages call it */
    const char *command;
    const char *const *arguments;   /* after the command's name; ends with NULL; NULL: none */
    const char *const *environment; /* "NAME=value", beside the safe ones; ends with NULL */
    const char *folder;             /* where it runs; NULL: where the host does */
    const char *url;                /* http or https */
    const char *const *headers;     /* "Name: value" for each request; ends with NULL */
    uint32_t start_ms;              /* until its tools are known; 30 000 */
    uint32_t call_ms;               /* without an answer or progress; 60 000 */
    uint32_t call_most_ms;          /* in all, whatever progress there is; 600 000 */
} McpServerOptions;

/**
 * Make a client. Its thread begins with the first use of a server.
 *
 * Threads: all functions but mcp_client_free may be called from any thread. In a child that the
 *          host forked, the servers are the parent's: calls fail, and free only forgets.
 * Errors:  TN_ERR_NOMEM.
 */
tn_status mcp_client_new(const McpClientOptions *options, McpClient **out_client);

/** End all servers (input closed; after a second SIGTERM, after another SIGKILL, to the process
 * group) and the thread. Open calls fail. Every run that could call must have been freed. */
void mcp_client_free(McpClient *client);

/** Name a server; nothing is started. It lives as long as the client. Errors: TN_ERR_NOMEM,
 * TN_ERR_ARGUMENT. */
tn_status mcp_server_add(McpClient *client, const McpServerOptions *options,
                         McpServer **out_server);
const char *mcp_server_name(const McpServer *server);

/** Start it without waiting, so that many start at one time. Calls start it too. */
void mcp_server_begin(McpServer *server);

/** What a server offers. Immutable. */
struct McpCatalogue {
    const char *error;       /* why it could not be had; NULL: it is all there */
    const char *server_name; /* as the server calls itself; "" if it does not, like all below */
    const char *server_version;
    const char *instructions;
    const char *revision;     /* of the protocol */
    tn_value about;           /* what it said when it was greeted, as sent */
    tn_value tools;           /* an array of the tools as sent, in their order */
    const char *const *notes; /* what was odd: pages without end, names listed twice */
    size_t note_count;
    double ttl_ms; /* for how long the server says it may be kept; NaN: it does not say */
};

/**
 * The server's tools: waits for its start, at most `start_ms`; after a change, for the new list.
 *
 * That a server cannot be started or spoken to is no failure: the catalogue says so.
 *
 * Ownership: free the catalogue; it may outlive the client.
 * Errors:    TN_ERR_NOMEM, TN_ERR_STATE (a forked child), TN_ERR_SYSTEM (no thread).
 */
tn_status mcp_server_catalogue(McpServer *server, const McpCatalogue **out_catalogue);
void mcp_catalogue_free(const McpCatalogue *catalogue);

/** A catalogue without error as one value, to be kept; appended. */
void mcp_catalogue_write(const McpCatalogue *catalogue, Buf *out);
/** One that was kept: a value that has passed value_check. Ownership: free it like any other.
 * Errors: TN_ERR_NOMEM, TN_ERR_ARGUMENT (it is none). */
tn_status mcp_catalogue_read(const tn_allocator *allocator, tn_value document,
                             const McpCatalogue **out_catalogue);

/** This is what callers know of the server: a call of a tool that takes or gives something else by
 * then, or is not there any more, fails with the code "changed" and is retryable. */
void mcp_server_expect(McpServer *server, const McpCatalogue *catalogue);
/** Has the newest list the same tools? True too if nothing is expected, or it was not listed. */
bool mcp_server_as_expected(McpServer *server);

/** The last lines that it logged or wrote to standard error, "" if none. Free with tn_text_free. */
tn_status mcp_server_lines(McpServer *server, char **out_text, size_t *out_length);

/**
 * Answer a call by a tool of the server: inside a tn_function, which then returns. `arguments` is
 * an object, read before this returns.
 *
 * The call fails with one of the codes "tool_error" (the tool's own words), "timeout",
 * "unavailable" (not started, or ended in mid-call), "protocol" (an answer that is none), "limit",
 * "credentials", "arguments", or the number of a JSON-RPC error. It is retryable only if it surely
 * did not happen.
 */
void mcp_call(McpServer *server, const char *tool, tn_value arguments, tn_call *call);

/** What is asked: the server, and the parameters as sent (message, requestedSchema; or mode "url").
 * Borrowed until it is answered. */
McpServer *mcp_question_server(const McpQuestion *question);
tn_value mcp_question_params(const McpQuestion *question);

typedef enum McpAction { MCP_ACCEPT, MCP_DECLINE, MCP_CANCEL } McpAction;

/** Answer it, once; it is gone then. `content` is an object, for MCP_ACCEPT only; members that are
 * not in it and have a default in the question's schema are sent with that. Threads: any. */
void mcp_question_answer(McpQuestion *question, McpAction action, tn_value content);

#endif
