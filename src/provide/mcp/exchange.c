/* One HTTP request, and libcurl's multi interface on the loop. What the answers mean is http.c.
 *
 * libcurl calls back while it is at work and must not be asked to add or remove then; so both are
 * noted and done afterwards. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "http.h"

enum {
    CONNECT_MS = 15000,
    DELETE_MS = 1000,
    ERROR_BODY_MOST = 64 * 1024,
    HOST_CONNECTIONS = 64 /* streams included; what is more waits */
};

/* ---- the loop ---- */

static void work_off(McpClient *client);

static void worked(void *context)
{
    work_off(context);
}

tn_status http_loop_new(McpClient *client)
{
    struct HttpLoop *loop;

    if (client->http)
        return TN_OK;
    loop = memory_new(&client->allocator, sizeof *loop);
    if (!loop)
        return TN_ERR_NOMEM;
    loop->curl.context = client;
    loop->curl.worked = worked;
    if (curl_loop_open(&loop->curl, &client->loop, &client->allocator) != TN_OK) {
        memory_free(&client->allocator, loop, sizeof *loop);
        return TN_ERR_NOMEM;
    }
    client->http = loop;
    curl_multi_setopt(loop->curl.multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)HOST_CONNECTIONS);
    return TN_OK;
}

bool http_loop_idle(const McpClient *client)
{
    return !client->http || client->http->open == 0;
}

static void loop_closed(void *context)
{
    McpClient *client = context;

    memory_free(&client->allocator, client->http, sizeof *client->http);
    client->http = NULL;
}

void http_loop_close(McpClient *client)
{
    struct HttpLoop *loop = client->http;

    if (!loop || loop->closing)
        return;
    loop->closing = true;
    curl_loop_close(&loop->curl, loop_closed);
}

/* ---- one exchange ---- */

static void trim(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
}

static bool begins(const char *text, const char *start)
{
    return strncasecmp(text, start, strlen(start)) == 0;
}

static void take_header(Exchange *exchange, char *line)
{
    char *colon = strchr(line, ':');

    trim(line);
    if (begins(line, "HTTP/")) { /* of this answer, or of an interim one before it */
        const char *space = strchr(line, ' ');
        exchange->status = space ? strtol(space, NULL, 10) : 0;
        exchange->is_json = exchange->is_stream = false;
        exchange->type[0] = '\0';
        return;
    }
    if (!colon)
        return;
    *colon = '\0';
    const char *value = colon + 1 + strspn(colon + 1, " \t");
    if (strcasecmp(line, "content-type") == 0) {
        exchange->is_json = begins(value, "application/json");
        exchange->is_stream = begins(value, "text/event-stream");
        snprintf(exchange->type, sizeof exchange->type, "%.*s", (int)strcspn(value, ";\r\n "),
                 value);
    } else if (strcasecmp(line, "location") == 0) {
        buf_clear(&exchange->location);
        buf_append(&exchange->location, value, strlen(value) + 1);
    } else if (exchange->http) {
        exchange_heard(exchange, line, value);
    }
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context)
{
    char line[2048];
    size_t length = size * count;
    Exchange *exchange = context;

    if (length < sizeof line && !exchange->dead) {
        memcpy(line, bytes, length);
        line[length] = '\0';
        take_header(exchange, line);
    }
    return length;
}

static bool on_event(void *context, const char *data, size_t length)
{
    Exchange *exchange = context;

    return exchange_event(exchange, data, length) && !exchange->dead;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
    Exchange *exchange = context;
    size_t length = size * count;
    SseSink sink = {exchange, on_event};

    if (exchange->dead)
        return 0;
    if (exchange->is_stream && exchange->status / 100 == 2)
        return sse_feed(&exchange->sse, bytes, length, &sink) ? length : 0;
    if (exchange->status / 100 != 2 && exchange->reply.length + length > ERROR_BODY_MOST)
        return length; /* enough is known */
    buf_append(&exchange->reply, bytes, length);
    return exchange->reply.failed ? 0 : length;
}

Exchange *exchange_new(McpClient *client, Http *http, ExchangeKind kind, const char *url)
{
    Exchange *exchange = memory_new(&client->allocator, sizeof *exchange);
    CURL *easy = curl_easy_init();

    if (!exchange || !easy) {
        memory_free(&client->allocator, exchange, sizeof *exchange);
        if (easy)
            curl_easy_cleanup(easy);
        return NULL;
    }
    client->http->open++;
    exchange->client = client;
    exchange->http = http;
    exchange->kind = kind;
    exchange->easy = easy;
    buf_init(&exchange->url, &client->allocator, 64 * 1024);
    buf_append(&exchange->url, url, strlen(url) + 1);
    buf_init(&exchange->body, &client->allocator, SIZE_MAX);
    buf_init(&exchange->location, &client->allocator, 8192);
    buf_init(&exchange->reply, &client->allocator, (size_t)client->message_bytes);
    sse_init(&exchange->sse, &client->allocator, (size_t)client->message_bytes);
    if (http) {
        exchange->next = http->exchanges;
        http->exchanges = exchange;
    }
    return exchange;
}

static void exchange_free(Exchange *exchange)
{
    McpClient *client = exchange->client;

    curl_easy_cleanup(exchange->easy);
    curl_slist_free_all(exchange->headers);
    buf_release(&exchange->url);
    buf_release(&exchange->body);
    buf_release(&exchange->location);
    buf_release(&exchange->reply);
    sse_release(&exchange->sse);
    memory_free(&client->allocator, exchange, sizeof *exchange);
}

void exchange_header(Exchange *exchange, const char *format, ...)
{
    char line[4096];
    va_list arguments;
    struct curl_slist *grown;

    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line || strpbrk(line, "\r\n"))
        return;
    grown = curl_slist_append(exchange->headers, line);
    if (grown)
        exchange->headers = grown;
}

/* Nothing of the environment: no proxy, no netrc. Redirects are looked at first (http.c). */
static void set_options(Exchange *exchange)
{
    CURL *easy = exchange->easy;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange);
    curl_easy_setopt(easy, CURLOPT_URL, (const char *)exchange->url.data);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, exchange->headers);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, ""); /* not asked for, and undone if it comes */
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (exchange->kind == EXCHANGE_REQUEST || exchange->kind == EXCHANGE_NOTE) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, exchange->body.data);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)exchange->body.length);
    } else if (exchange->kind == EXCHANGE_DELETE) {
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "DELETE");
        curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)DELETE_MS);
    }
}

/* ---- begun, ended, dropped ---- */

static bool add(Exchange *exchange)
{
    CURLM *multi = exchange->client->http->curl.multi;

    set_options(exchange);
    exchange->added = !exchange->url.failed && !exchange->body.failed &&
                      curl_multi_add_handle(multi, exchange->easy) == CURLM_OK;
    return exchange->added;
}

static void unlist(Exchange *exchange)
{
    Http *http = exchange->http;
    Exchange **link;

    if (!http)
        return;
    for (link = &http->exchanges; *link && *link != exchange; link = &(*link)->next)
        ;
    if (*link)
        *link = exchange->next;
    if (http->stream == exchange)
        http->stream = NULL;
    exchange->http = NULL;
}

static void end(Exchange *exchange)
{
    McpClient *client = exchange->client;

    if (exchange->added)
        (void)curl_multi_remove_handle(client->http->curl.multi, exchange->easy);
    exchange_free(exchange);
    client->http->open--;
}

static void note_work(Exchange *exchange)
{
    struct HttpLoop *loop = exchange->client->http;

    for (Exchange *one = loop->work; one; one = one->next_work) {
        if (one == exchange)
            return;
    }
    exchange->next_work = loop->work;
    loop->work = exchange;
}

void exchange_begin(Exchange *exchange)
{
    note_work(exchange);
    if (!exchange->client->http->curl.inside)
        work_off(exchange->client);
}

void exchange_orphan(Exchange *exchange)
{
    unlist(exchange);
    if (exchange->pending && exchange->pending->exchange == exchange)
        exchange->pending->exchange = NULL;
    exchange->pending = NULL;
}

void exchange_drop(Exchange *exchange)
{
    exchange_orphan(exchange);
    exchange->dead = true;
    note_work(exchange);
    if (!exchange->client->http->curl.inside)
        work_off(exchange->client);
}

/* Until nothing is to be added, removed or told. What is told may make more work, and does it here,
 * not deeper: libcurl counts as at work meanwhile. */
static void work_off(McpClient *client)
{
    struct HttpLoop *loop = client->http;
    Exchange *exchange;
    CURLcode code = CURLE_OK;

    if (loop->curl.inside)
        return;
    loop->curl.inside = true;
    for (;;) {
        exchange = loop->work;
        if (exchange) {
            loop->work = exchange->next_work;
            if (exchange->dead) {
                end(exchange);
                continue;
            }
            if (add(exchange))
                continue;
            code = CURLE_FAILED_INIT;
        } else {
            exchange = curl_loop_finished(&loop->curl, &code);
            if (!exchange)
                break;
        }
        if (!exchange->dead)
            exchange_ended(exchange, code);
        exchange_drop(exchange);
    }
    loop->curl.inside = false;
    client_left(client);
}
