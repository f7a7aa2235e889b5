/* What http.c (a server behind a URL) and exchange.c (one request of it) share. */
#ifndef TENON_MCP_HTTP_H
#define TENON_MCP_HTTP_H

#include "curl_loop.h"
#include "inside.h"
#include "sse.h"

typedef enum ExchangeKind {
    EXCHANGE_REQUEST, /* its pending waits for the answer */
    EXCHANGE_NOTE,    /* a notification, or an answer of ours */
    EXCHANGE_STREAM,  /* GET: what the server says of itself */
    EXCHANGE_RESUME,  /* GET: the rest of an answer that broke off */
    EXCHANGE_DELETE   /* the end of a session */
} ExchangeKind;

struct Exchange {
    Exchange *next;      /* of its server */
    Exchange *next_work; /* of the loop */
    McpClient *client;
    Http *http;       /* NULL: let go, nobody hears of its end */
    Pending *pending; /* NULL: not, or not any more */
    ExchangeKind kind;
    CURL *easy;
    struct curl_slist *headers;
    Buf url; /* ends in NUL */
    Buf body;
    uint64_t session;   /* the one it belongs to */
    unsigned redirects; /* or taken up again so often */
    uint64_t begin_due; /* it begins then */
    bool added, dead;
    bool greeting; /* the note that the handshake is done */

    /* the answer */
    long status;
    bool is_json, is_stream;
    char type[64];
    Buf location;
    Buf reply;
    Sse sse;
};

struct Http {
    McpServer *server;
    Exchange *exchanges;
    Buf url;         /* ends in NUL; another one after a redirect */
    Buf session;     /* its id; empty: none */
    uint64_t serial; /* of the session */
    Exchange *stream;
    uint64_t stream_due; /* it is opened again then */
    unsigned stream_failures;
    Buf last_event; /* of the stream */
};

/** libcurl's side of the loop. */
struct HttpLoop {
    CurlLoop curl;
    bool closing;
    unsigned open;  /* exchanges */
    Exchange *work; /* to be added or removed */
};

/** NULL: no memory. Not begun. */
Exchange *exchange_new(McpClient *client, Http *http, ExchangeKind kind, const char *url);
__attribute__((format(printf, 2, 3))) void exchange_header(Exchange *exchange, const char *format,
                                                           ...);
/** Begin it, now or as soon as libcurl can. */
void exchange_begin(Exchange *exchange);
/** It goes on alone: nobody hears of its end. */
void exchange_orphan(Exchange *exchange);
/** Nobody wants its answer any more. */
void exchange_drop(Exchange *exchange);

/** It has ended; afterwards it is freed. http.c. */
void exchange_ended(Exchange *exchange, CURLcode code);
/** A header of its answer. False: no more. http.c. */
void exchange_heard(Exchange *exchange, const char *name, const char *value);
/** A message of its answer's stream. False: no more. http.c. */
bool exchange_event(Exchange *exchange, const char *data, size_t length);

/** The headers that mirror parts of a call: Mcp-Name, Mcp-Param-... headers.c. */
void headers_of_call(Exchange *exchange, const Pending *pending);

#endif
