/* A server behind a URL: what is sent to it, and what its answers mean.
 *
 * Each request of ours is an exchange, answered by one message or by a stream of them. In the
 * handshake era there may be a session, which the server can end at any time (404), and a stream of
 * the server's own (GET), which is opened again when it breaks off. */
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "http.h"
#include "plain_json.h"

enum {
    REDIRECTS_MOST = 3,
    RETRY_MS = 1000,
    RETRY_MOST_MS = 60000,
    STREAM_FAILURES_MOST = 5,
    RESUMES_MOST = 5,
    TEXT_MOST = 1024
};

/* ---- headers ---- */

static void add_headers(Exchange *exchange, const Pending *pending)
{
    const Http *http = exchange->http;
    McpServer *server = http->server;
    bool modern = server->era == ERA_MODERN || (pending && pending->kind == PENDING_DISCOVER);

    exchange_header(exchange, "Accept-Encoding: identity"); /* compressed, events come in heaps */
    if (exchange->kind == EXCHANGE_REQUEST || exchange->kind == EXCHANGE_NOTE) {
        exchange_header(exchange, "Content-Type: application/json");
        exchange_header(exchange, "Accept: application/json, text/event-stream");
        exchange_header(exchange, "Expect:");
    } else if (exchange->kind != EXCHANGE_DELETE) {
        exchange_header(exchange, "Accept: text/event-stream");
    }
    if (modern)
        exchange_header(exchange, "MCP-Protocol-Version: %s", mcp_modern);
    else if (server->revision && !(pending && pending->kind == PENDING_INITIALIZE))
        exchange_header(exchange, "MCP-Protocol-Version: %s", server->revision);
    if (modern && pending) {
        exchange_header(exchange, "Mcp-Method: %s", pending_method(pending));
        headers_of_call(exchange, pending);
    }
    if (http->session.length > 0)
        exchange_header(exchange, "Mcp-Session-Id: %s", (const char *)http->session.data);
    for (const char *const *header = server->headers; header && *header; header++)
        exchange_header(exchange, "%s", *header);
    exchange->session = http->serial;
}

static Exchange *exchange_of(Http *http, ExchangeKind kind)
{
    return exchange_new(http->server->client, http, kind, (const char *)http->url.data);
}

void http_send(Http *http, Pending *pending, const char *text, size_t length)
{
    Exchange *exchange = exchange_of(http, pending ? EXCHANGE_REQUEST : EXCHANGE_NOTE);

    if (!exchange) {
        if (pending)
            pending_failed(pending, "limit", "is not called: there is no memory for the request",
                           (tn_value){0});
        return;
    }
    buf_append(&exchange->body, text, length);
    exchange->pending = pending;
    add_headers(exchange, pending);
    if (pending) {
        pending->exchange = exchange;
        pending->delivered = true; /* as far as is known; see http_untouched */
    }
    exchange_begin(exchange);
}

void http_drop(Exchange *exchange)
{
    exchange_drop(exchange);
}

bool http_untouched(const Exchange *exchange)
{
    long sent = 0;

    (void)curl_easy_getinfo(exchange->easy, CURLINFO_REQUEST_SIZE, &sent);
    return sent == 0;
}

/* ---- its own stream ---- */

static void open_stream(Http *http)
{
    Exchange *exchange = exchange_of(http, EXCHANGE_STREAM);

    if (!exchange)
        return;
    add_headers(exchange, NULL);
    if (http->last_event.length > 0)
        exchange_header(exchange, "Last-Event-ID: %.*s", (int)http->last_event.length,
                        (const char *)http->last_event.data);
    http->stream = exchange;
    exchange_begin(exchange);
}

void http_greeted(Http *http, const char *text, size_t length)
{
    Exchange *exchange = exchange_of(http, EXCHANGE_NOTE);

    if (!exchange)
        return;
    buf_append(&exchange->body, text, length);
    add_headers(exchange, NULL);
    exchange->greeting = true;
    exchange_begin(exchange);
}

static void greeting_ended(Http *http)
{
    McpServer *server = http->server;

    if (!http->stream)
        open_stream(http);
    server_initialized(server);
}

/* Beginning one may end others, or all: so one a tick. */
static void begin_delayed(Http *http, uint64_t now)
{
    for (Exchange *exchange = http->exchanges; exchange; exchange = exchange->next) {
        if (exchange->begin_due == 0)
            continue;
        client_due(exchange->client, exchange->begin_due);
        if (now >= exchange->begin_due) {
            exchange->begin_due = 0;
            exchange_begin(exchange);
            return;
        }
    }
}

void http_tick(Http *http, uint64_t now)
{
    McpServer *server = http->server;

    if (http->stream_due != 0 && now >= http->stream_due) {
        http->stream_due = 0;
        if (!http->stream)
            open_stream(http);
        if (server->http != http)
            return;
    }
    client_due(server->client, http->stream_due);
    begin_delayed(http, now);
}

static uint64_t retry_after(const Exchange *exchange)
{
    uint64_t ms = exchange->sse.retry_ms ? exchange->sse.retry_ms : RETRY_MS;

    return ms > RETRY_MOST_MS ? RETRY_MOST_MS : ms;
}

/* Servers without a stream say so (405); others are asked again, not for ever. */
static void stream_ended(Exchange *exchange)
{
    Http *http = exchange->http;
    uint64_t now = client_now(exchange->client);

    if (exchange->status / 100 != 2 || !exchange->is_stream ||
        http->stream_failures >= STREAM_FAILURES_MOST)
        return;
    http->stream_failures++;
    http->stream_due = now + retry_after(exchange);
    client_due(exchange->client, http->stream_due);
}

/* ---- while it is answered ---- */

static bool is_visible(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text <= 0x20 || (unsigned char)*text > 0x7e)
            return false;
    }
    return true;
}

void exchange_heard(Exchange *exchange, const char *name, const char *value)
{
    Http *http = exchange->http;
    bool greeting = exchange->pending && exchange->pending->kind == PENDING_INITIALIZE;

    if (!greeting || exchange->status / 100 != 2 || strcasecmp(name, "mcp-session-id") != 0 ||
        !is_visible(value))
        return;
    buf_clear(&http->session);
    buf_append(&http->session, value, strlen(value) + 1);
}

/* An event without data only tells from where the stream can be taken up again. */
bool exchange_event(Exchange *exchange, const char *data, size_t length)
{
    Http *http = exchange->http;

    if (!http)
        return false;
    if (exchange == http->stream) {
        http->stream_failures = 0;
        buf_clear(&http->last_event);
        buf_append(&http->last_event, exchange->sse.id.data, exchange->sse.id.length);
    }
    if (length > 0)
        server_receive(http->server, exchange->pending, data, length);
    return exchange->http != NULL;
}

/* ---- redirects: to the same origin only, since headers may hold credentials ---- */

/* "https://host:port", for comparing and for messages. */
static bool origin_of(CURLU *url, char *out, size_t room)
{
    char *scheme = NULL, *host = NULL, *port = NULL;
    bool good = curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
                curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
                curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK;

    if (good)
        snprintf(out, room, "%s://%s:%s", scheme, host, port);
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    return good;
}

/* The place that the answer names, if it is at the same origin; else NULL, and what to say of it.
 */
static char *same_origin(const Exchange *exchange, char *out_text, size_t room)
{
    CURLU *url = curl_url();
    char before[300] = "", after[300] = "";
    char *whole = NULL;

    bool good =
        url && exchange->location.length > 0 &&
        curl_url_set(url, CURLUPART_URL, (const char *)exchange->url.data, 0) == CURLUE_OK &&
        origin_of(url, before, sizeof before) &&
        curl_url_set(url, CURLUPART_URL, (const char *)exchange->location.data, 0) == CURLUE_OK &&
        origin_of(url, after, sizeof after);
    if (!good)
        snprintf(out_text, room, "to nowhere");
    else if (strcasecmp(before, after) != 0)
        snprintf(out_text, room, "to another origin (%s), which is not followed", after);
    else
        (void)curl_url_get(url, CURLUPART_URL, &whole, 0);
    curl_url_cleanup(url);
    return whole;
}

/* Send the same again. What it answers goes to the same pending. */
static bool follow(Exchange *exchange, char *out_text, size_t room)
{
    Http *http = exchange->http;
    char *url = exchange->redirects < REDIRECTS_MOST ? same_origin(exchange, out_text, room) : NULL;
    Exchange *next;

    if (exchange->redirects >= REDIRECTS_MOST)
        snprintf(out_text, room, "without end");
    if (!url)
        return false;
    buf_clear(&http->url);
    buf_append(&http->url, url, strlen(url) + 1);
    curl_free(url);
    next = exchange_of(http, exchange->kind);
    if (!next)
        return false;
    buf_append(&next->body, exchange->body.data, exchange->body.length);
    next->redirects = exchange->redirects + 1;
    next->pending = exchange->pending;
    add_headers(next, next->pending);
    next->pending->exchange = next;
    exchange->pending = NULL;
    exchange_begin(next);
    return true;
}

/* ---- the end of a request ---- */

__attribute__((format(printf, 4, 5))) static void fail(Exchange *exchange, const char *code,
                                                       bool happened, const char *format, ...)
{
    Pending *pending = exchange->pending;
    char text[TEXT_MOST];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pending->delivered = happened;
    pending_failed(pending, code, text, (tn_value){0});
}

/* The connection failed, or broke off. */
static void fail_for_code(Exchange *exchange, CURLcode code)
{
    McpServer *server = exchange->http->server;
    bool untouched = http_untouched(exchange);
    const char *name = pending_name(exchange->pending);

    if (exchange->reply.over_limit || exchange->sse.over_limit)
        fail(exchange, "limit", true,
             "answered %.200s with more than %llu bytes, the most for one message", name,
             (unsigned long long)server->client->message_bytes);
    else if (untouched)
        fail(exchange, "unavailable", false, "cannot be reached: %s", curl_easy_strerror(code));
    else
        fail(exchange, "unavailable", true, "broke off its answer to %.200s: %s", name,
             curl_easy_strerror(code));
}

/* An error of the protocol, with whatever status it came? Then it is told as that. */
static bool is_rpc_error(const Exchange *exchange)
{
    Buf cbor;
    int64_t code;

    buf_init(&cbor, exchange->reply.allocator, SIZE_MAX);
    bool found =
        exchange->reply.length > 0 &&
        plain_json_read(&cbor, (const char *)exchange->reply.data, exchange->reply.length) == TN_OK;
    tn_value message = {cbor.data, cbor.data, cbor.data + cbor.length};
    found =
        found && tn_value_int(tn_value_member(tn_value_member(message, "error"), "code"), &code);
    buf_release(&cbor);
    return found;
}

static void fail_for_status(Exchange *exchange)
{
    McpServer *server = exchange->http->server;
    const char *name = pending_name(exchange->pending);
    long status = exchange->status;
    char text[400] = "to nowhere";
    Buf body;

    if (status == 401 || status == 403) {
        fail(exchange, "credentials", false,
             "refused %.200s (HTTP %ld): it needs credentials, or others than it was given", name,
             status);
    } else if (status / 100 == 3) {
        if (!follow(exchange, text, sizeof text))
            fail(exchange, "unavailable", false, "redirects %s", text);
    } else if (is_rpc_error(exchange)) {
        server_receive(server, exchange->pending, (const char *)exchange->reply.data,
                       exchange->reply.length);
    } else {
        const char *words = server_clean(server, &body, (const char *)exchange->reply.data,
                                         exchange->reply.length, 200);
        bool busy = status == 429 || status == 503;
        fail(exchange, busy ? "unavailable" : "protocol", !busy,
             "answered %.200s with HTTP %ld%s%s", name, status, *words ? ": " : "", words);
        buf_release(&body);
    }
}

/* A stream that ended before the answer: since 2025-11-25 a server may do that and be asked for the
 * rest, if it numbers its events. */
static bool resume(Exchange *exchange)
{
    Http *http = exchange->http;
    Exchange *next;

    if (http->server->era != ERA_HANDSHAKE || exchange->sse.id.length == 0 ||
        exchange->redirects >= RESUMES_MOST)
        return false;
    next = exchange_of(http, EXCHANGE_RESUME);
    if (!next)
        return false;
    add_headers(next, NULL);
    exchange_header(next, "Last-Event-ID: %.*s", (int)exchange->sse.id.length,
                    (const char *)exchange->sse.id.data);
    next->redirects = exchange->redirects + 1;
    next->pending = exchange->pending;
    next->pending->exchange = next;
    exchange->pending = NULL;
    next->begin_due = client_now(next->client) + retry_after(exchange);
    client_due(next->client, next->begin_due);
    return true;
}

static void answer_ended(Exchange *exchange)
{
    McpServer *server = exchange->http->server;
    const char *name = pending_name(exchange->pending);

    if (exchange->is_stream) {
        if (!resume(exchange))
            fail(exchange, "protocol", true, "ended its answer to %.200s before the result", name);
    } else if ((exchange->is_json || !exchange->type[0]) && exchange->reply.length > 0) {
        server_receive(server, exchange->pending, (const char *)exchange->reply.data,
                       exchange->reply.length);
        if (exchange->http && exchange->pending)
            fail(exchange, "protocol", true, "sent a message that does not answer %.200s", name);
    } else {
        fail(exchange, "protocol", true,
             "answered %.200s with HTTP %ld and %s%s, which is no message", name, exchange->status,
             exchange->reply.length > 0 ? "content of type " : "no content",
             exchange->reply.length > 0 ? exchange->type : "");
    }
}

/* ---- sessions ---- */

static void session_over(Exchange *exchange)
{
    Http *http = exchange->http;
    Pending *pending = exchange->pending;
    bool current = exchange->session == http->serial;

    exchange->pending = NULL;
    if (current) {
        http->serial++;
        buf_clear(&http->session);
        if (http->stream)
            exchange_drop(http->stream);
        http->stream = NULL;
        http->stream_due = 0;
    }
    server_renew(http->server, pending, current);
}

/* ---- the end of any exchange ---- */

void exchange_ended(Exchange *exchange, CURLcode code)
{
    Http *http = exchange->http;
    Pending *pending = exchange->pending;

    if (exchange->kind == EXCHANGE_STREAM) {
        http->stream = NULL;
        stream_ended(exchange);
        return;
    }
    if (exchange->greeting)
        greeting_ended(http);
    if (!pending)
        return;
    bool broke = code != CURLE_OK &&
                 !(exchange->is_stream && exchange->status / 100 == 2 && !exchange->sse.over_limit);
    if (broke)
        fail_for_code(exchange, code);
    else if (exchange->kind == EXCHANGE_RESUME && exchange->status / 100 != 2)
        fail(exchange, "protocol", true,
             "broke off its answer to %.200s and does not go on with it", pending_name(pending));
    else if (exchange->status == 404 && http->session.length > 0 &&
             pending->kind != PENDING_INITIALIZE)
        session_over(exchange);
    else if (exchange->status / 100 != 2)
        fail_for_status(exchange);
    else
        answer_ended(exchange);
}

/* ---- making and ending ---- */

Http *http_new(McpServer *server, Buf *out_why)
{
    McpClient *client = server->client;
    CURLU *url;
    char origin[300];
    Http *http = NULL;

    if (!curl_open()) {
        buf_append_string(out_why, "libcurl.so.4 cannot be loaded: install libcurl");
        return NULL;
    }
    url = curl_url();
    bool good = url && curl_url_set(url, CURLUPART_URL, server->url, 0) == CURLUE_OK &&
                origin_of(url, origin, sizeof origin) &&
                (strncmp(origin, "http://", 7) == 0 || strncmp(origin, "https://", 8) == 0);
    curl_url_cleanup(url);
    if (!good) {
        buf_append_string(out_why, "its URL is none of http or https");
        return NULL;
    }
    if (http_loop_new(client) == TN_OK)
        http = memory_new(&client->allocator, sizeof *http);
    if (!http) {
        buf_append_string(out_why, "there is no memory");
        return NULL;
    }
    http->server = server;
    buf_init(&http->url, &client->allocator, 64 * 1024);
    buf_init(&http->session, &client->allocator, 2048);
    buf_init(&http->last_event, &client->allocator, 4096);
    buf_append(&http->url, server->url, strlen(server->url) + 1);
    return http;
}

/* A session is ended; the server's answer to that is not waited for, but for the client's end. */
void http_end(Http *http)
{
    McpClient *client = http->server->client;
    Exchange *last = NULL;

    if (http->session.length > 0)
        last = exchange_of(http, EXCHANGE_DELETE);
    if (last)
        add_headers(last, NULL);
    while (http->exchanges) {
        Exchange *exchange = http->exchanges;
        if (exchange == last)
            exchange_orphan(exchange);
        else
            exchange_drop(exchange);
    }
    if (last)
        exchange_begin(last);
    buf_release(&http->url);
    buf_release(&http->session);
    buf_release(&http->last_event);
    memory_free(&client->allocator, http, sizeof *http);
}
