/* One request over HTTP, from its first byte to its answer. */
#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- answers ---- */

static void add(const Http *http, struct MHD_Response *response, const char *name,
                const char *value)
{
    (void)http->mhd->MHD_add_response_header(response, name, value);
}

/* What a page of an origin that is let in may see and send. */
static void add_origin(const Http *http, struct MHD_Connection *connection,
                       struct MHD_Response *response)
{
    const char *origin = gate_origin(http, connection);

    if (!origin)
        return;
    add(http, response, "Access-Control-Allow-Origin", origin);
    add(http, response, "Vary", "Origin");
    add(http, response, "Access-Control-Expose-Headers", "Mcp-Session-Id");
}

static enum MHD_Result queue(Http *http, struct MHD_Connection *connection, unsigned status,
                             struct MHD_Response *response)
{
    enum MHD_Result queued;

    if (!response)
        return MHD_NO;
    add_origin(http, connection, response);
    guest_state(http, connection, GUEST_WRITING);
    queued = http->mhd->MHD_queue_response(connection, status, response);
    http->mhd->MHD_destroy_response(response);
    return queued;
}

static struct MHD_Response *text_response(const Http *http, const char *text, size_t length,
                                          const char *type)
{
    struct MHD_Response *response = http->mhd->MHD_create_response_from_buffer(
        length, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);

    if (response && length > 0)
        add(http, response, "Content-Type", type);
    if (response)
        add(http, response, "Cache-Control", "no-store");
    return response;
}

/* A status with a few words: for people, since no program asks for it. */
static enum MHD_Result turn_away(Http *http, struct MHD_Connection *connection, unsigned status)
{
    static const struct {
        unsigned status;
        const char *words;
    } all[] = {
        {MHD_HTTP_UNAUTHORIZED, "a bearer token is needed\n"},
        {MHD_HTTP_FORBIDDEN, "this host or origin is not let in\n"},
        {MHD_HTTP_NOT_FOUND, "there is nothing here: the address ends in /mcp\n"},
        {MHD_HTTP_METHOD_NOT_ALLOWED, "messages are sent by POST\n"},
        {MHD_HTTP_NOT_ACCEPTABLE, "answers are application/json or text/event-stream\n"},
        {MHD_HTTP_CONTENT_TOO_LARGE, "that message is too long\n"},
        {MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "a message is application/json\n"},
    };
    const char *words = "";
    struct MHD_Response *response;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].status == status)
            words = all[i].words;
    }
    response = text_response(http, words, strlen(words), "text/plain; charset=utf-8");
    if (response && status == MHD_HTTP_UNAUTHORIZED)
        add(http, response, "WWW-Authenticate", "Bearer realm=\"tenon\"");
    if (response && status == MHD_HTTP_METHOD_NOT_ALLOWED)
        add(http, response, "Allow", "POST, GET, DELETE, OPTIONS");
    return queue(http, connection, status, response);
}

static enum MHD_Result answer_json(Exchange *exchange)
{
    Http *http = exchange->http;
    struct MHD_Response *response = text_response(http, exchange->answer ? exchange->answer : "",
                                                  exchange->answer_length, "application/json");

    if (response && exchange->new_session && exchange->status == MHD_HTTP_OK)
        add(http, response, "Mcp-Session-Id", exchange->session->id);
    return queue(http, exchange->connection, exchange->status, response);
}

static enum MHD_Result answer_events(Exchange *exchange)
{
    Http *http = exchange->http;
    struct MHD_Response *response = exchange_stream(exchange);

    if (!response)
        return MHD_NO;
    add(http, response, "Content-Type", "text/event-stream");
    add(http, response, "Cache-Control", "no-store");
    add(http, response, "X-Accel-Buffering", "no");
    if (exchange->new_session)
        add(http, response, "Mcp-Session-Id", exchange->session->id);
    return queue(http, exchange->connection, MHD_HTTP_OK, response);
}

static enum MHD_Result answer(Exchange *exchange, bool owed)
{
    Http *http = exchange->http;

    pthread_mutex_lock(&exchange->lock);
    bool answered = exchange->answered;
    pthread_mutex_unlock(&exchange->lock);
    if (!owed && !answered)
        return queue(http, exchange->connection, MHD_HTTP_ACCEPTED, text_response(http, "", 0, ""));
    guest_state(http, exchange->connection, GUEST_WAITING);
    if (exchange->takes_json && !exchange_wait(exchange, exchange->takes_events ? JSON_MS : -1))
        return MHD_NO;
    pthread_mutex_lock(&exchange->lock);
    bool plain = exchange->answered && !exchange->first;
    pthread_mutex_unlock(&exchange->lock);
    /* an error's status is told by JSON alone */
    if (plain && (exchange->takes_json || exchange->status != MHD_HTTP_OK))
        return answer_json(exchange);
    return answer_events(exchange);
}

/* ---- what is asked ---- */

static bool mentions(const char *header, const char *type)
{
    return !header || strcasestr(header, type) || strstr(header, "*/*");
}

static enum MHD_Result end_session(Http *http, struct MHD_Connection *connection)
{
    const char *id = header_of(http, connection, "Mcp-Session-Id");

    if (!id || header_modern(http, connection))
        return turn_away(http, connection, MHD_HTTP_METHOD_NOT_ALLOWED);
    return queue(http, connection, session_end(http, id) ? MHD_HTTP_NO_CONTENT : MHD_HTTP_NOT_FOUND,
                 text_response(http, "", 0, ""));
}

/* What a client of the older era is told of nothing it asked for. */
static enum MHD_Result open_stream(Http *http, struct MHD_Connection *connection, void **state)
{
    const char *id = header_of(http, connection, "Mcp-Session-Id");
    const char *accept = header_of(http, connection, "Accept");
    Session *session;
    Exchange *exchange;

    if (!id || header_modern(http, connection) || !mentions(accept, "text/event-stream"))
        return turn_away(http, connection, MHD_HTTP_METHOD_NOT_ALLOWED);
    session = session_find(http, id);
    if (!session)
        return turn_away(http, connection, MHD_HTTP_NOT_FOUND);
    exchange = exchange_new(http, connection);
    if (!exchange) {
        session_unref(http, session);
        return MHD_NO;
    }
    exchange->session = session;
    exchange->sink.peer = &session->peer;
    exchange->is_stream = exchange->takes_events = true;
    *state = exchange;
    exchange_stand(exchange, &exchange->sink);
    return answer_events(exchange);
}

/* A browser asks first whether a page of another origin may ask. */
static enum MHD_Result allow_page(Http *http, struct MHD_Connection *connection)
{
    struct MHD_Response *response = text_response(http, "", 0, "");

    if (response) {
        add(http, response, "Access-Control-Allow-Methods", "POST, GET, DELETE");
        add(http, response, "Access-Control-Allow-Headers",
            "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, "
            "MCP-Protocol-Version, Mcp-Session-Id");
        add(http, response, "Access-Control-Max-Age", "600");
    }
    return queue(http, connection, MHD_HTTP_NO_CONTENT, response);
}

/* Before its body: by its headers alone. */
static enum MHD_Result arrive(Http *http, struct MHD_Connection *connection, const char *url,
                              const char *method, void **state)
{
    unsigned status = gate(http, connection, url);
    const char *type = header_of(http, connection, "Content-Type");
    const char *length = header_of(http, connection, "Content-Length");
    const char *accept = header_of(http, connection, "Accept");
    Exchange *exchange;

    /* a browser asks without the token whether it may send it */
    if (strcmp(method, "OPTIONS") == 0 && (status == 0 || status == MHD_HTTP_UNAUTHORIZED) &&
        gate_origin(http, connection))
        return allow_page(http, connection);
    if (status == 0 && strcmp(method, "DELETE") == 0)
        return end_session(http, connection);
    if (status == 0 && strcmp(method, "GET") == 0)
        return open_stream(http, connection, state);
    if (status == 0 && strcmp(method, "POST") != 0)
        status = MHD_HTTP_METHOD_NOT_ALLOWED;
    if (status == 0 && (!type || strncasecmp(type, "application/json", 16) != 0))
        status = MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    if (status == 0 && length && strtoull(length, NULL, 10) > BODY_MOST)
        status = MHD_HTTP_CONTENT_TOO_LARGE;
    if (status == 0 && !mentions(accept, "application/json") &&
        !mentions(accept, "text/event-stream"))
        status = MHD_HTTP_NOT_ACCEPTABLE;
    if (status != 0)
        return turn_away(http, connection, status);
    exchange = exchange_new(http, connection);
    if (!exchange)
        return MHD_NO;
    exchange->takes_json = mentions(accept, "application/json");
    exchange->takes_events = accept && mentions(accept, "text/event-stream");
    *state = exchange;
    guest_state(http, connection, GUEST_BODY);
    return MHD_YES;
}

static enum MHD_Result take_piece(Exchange *exchange, const char *data, size_t length)
{
    if (exchange->too_long || exchange->length + length > BODY_MOST) {
        exchange->too_long = true; /* read to its end, so that the answer is seen; but not kept */
        exchange->length += length;
        return exchange->length > 4 * (size_t)BODY_MOST ? MHD_NO : MHD_YES;
    }
    if (exchange->length + length > exchange->room) {
        size_t room = (exchange->length + length) * 2;
        char *grown = realloc(exchange->body, room);
        if (!grown)
            return MHD_NO;
        exchange->body = grown;
        exchange->room = room;
    }
    memcpy(exchange->body + exchange->length, data, length);
    exchange->length += length;
    return MHD_YES;
}

enum MHD_Result visit(void *argument, struct MHD_Connection *connection, const char *url,
                      const char *method, const char *version, const char *data, size_t *length,
                      void **state)
{
    Http *http = argument;
    Exchange *exchange = *state;

    (void)version;
    if (!exchange)
        return http->door->closing ? MHD_NO : arrive(http, connection, url, method, state);
    if (*length > 0) {
        enum MHD_Result taken = take_piece(exchange, data, *length);
        *length = 0;
        return taken;
    }
    if (exchange->too_long)
        return turn_away(http, connection, MHD_HTTP_CONTENT_TOO_LARGE);
    guest_state(http, connection, GUEST_WAITING);
    bool owed = message_take(http->door, &exchange->sink, exchange->body ? exchange->body : "",
                             exchange->length);
    if (exchange->length == 0)
        return turn_away(http, connection, MHD_HTTP_BAD_REQUEST);
    return answer(exchange, owed);
}

void visit_over(void *argument, struct MHD_Connection *connection, void **state,
                enum MHD_RequestTerminationCode code)
{
    Exchange *exchange = *state;

    (void)code;
    if (exchange) {
        exchange_leave(exchange);
        exchange_unref(exchange);
        *state = NULL;
    }
    guest_state(argument, connection, GUEST_IDLE);
}
