/* One exchange on libcurl: a hop is sent, its answer heard, and then there is another hop or an
 * end. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "http_inside.h"

enum { CONNECT_MS = 15000, HEAD_MOST = 64 * 1024, SKIPPED_MOST = 64 * 1024 };

bool exchange_fault(Exchange *exchange, const char *code, const char *words)
{
    exchange->fault = code;
    exchange->fault_words = words ? words : "there is no memory";
    return false;
}

/* ---- connecting ---- */

static curl_socket_t on_open(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    Exchange *exchange = context;
    const struct sockaddr *to = &address->addr;

    (void)purpose;
    if (!address_allowed(exchange->grant, to)) {
        const void *bytes =
            to->sa_family == AF_INET6
                ? (const void *)&((const struct sockaddr_in6 *)(const void *)to)->sin6_addr
                : (const void *)&((const struct sockaddr_in *)(const void *)to)->sin_addr;
        if (!inet_ntop(to->sa_family, bytes, exchange->refused, sizeof exchange->refused))
            (void)snprintf(exchange->refused, sizeof exchange->refused, "of another kind");
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* A connection that another request opened, under other grants, is looked at again. */
static int on_ready(void *context, char *address, char *local, int port, int local_port)
{
    Exchange *exchange = context;

    (void)local, (void)port, (void)local_port;
    if (address_text_allowed(exchange->grant, address))
        return CURL_PREREQFUNC_OK;
    (void)snprintf(exchange->refused, sizeof exchange->refused, "%s", address);
    return CURL_PREREQFUNC_ABORT;
}

/* ---- hearing ---- */

void exchange_clear(Exchange *exchange)
{
    buf_clear(&exchange->head);
    buf_clear(&exchange->body);
    exchange->header_count = 0;
    exchange->status = 0;
    exchange->head_done = false;
    exchange->location = NULL;
    exchange->skipped = 0;
    exchange->refused[0] = 0;
    exchange->curl_error[0] = 0;
}

/* As text: a byte is a character. */
static void put_value(Buf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x80)
            buf_append_byte(out, (uint8_t)(0xc0 | c >> 6));
        buf_append_byte(out, c < 0x80 ? c : (uint8_t)(0x80 | (c & 0x3f)));
    }
    buf_append_byte(out, 0);
}

/* "HTTP/1.1 200 OK": of the answer, or of one that goes before it (103). */
static void take_status(Exchange *exchange, const char *line, size_t length)
{
    const char *end = line + length, *at = memchr(line, ' ', length);

    exchange_clear(exchange);
    for (at = at ? at + 1 : end; at < end && *at >= '0' && *at <= '9' && exchange->status < 1000;
         at++)
        exchange->status = exchange->status * 10 + (unsigned)(*at - '0');
    while (at < end && *at == ' ')
        at++;
    put_value(&exchange->head, at, (size_t)(end - at));
}

static void take_field(Exchange *exchange, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length), *end = line + length, *value;

    if (!colon || colon == line || memchr(line, 0, length))
        return;
    for (const char *at = line; at < colon; at++)
        buf_append_byte(&exchange->head, (uint8_t)(*at | (*at >= 'A' && *at <= 'Z' ? 0x20 : 0)));
    buf_append_byte(&exchange->head, 0);
    for (value = colon + 1; value < end && (*value == ' ' || *value == '\t'); value++)
        ;
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    put_value(&exchange->head, value, (size_t)(end - value));
    exchange->header_count++;
    if (colon - line == 8 && strncasecmp(line, "location", 8) == 0)
        exchange->location = arena_text(&exchange->arena, value, (size_t)(end - value));
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context)
{
    Exchange *exchange = context;
    size_t length = size * count, bare = length;

    while (bare > 0 && (bytes[bare - 1] == '\r' || bytes[bare - 1] == '\n'))
        bare--;
    if (bare >= 5 && strncasecmp(bytes, "HTTP/", 5) == 0 && !exchange->head_done)
        take_status(exchange, bytes, bare);
    else if (bare == 0)
        exchange->head_done = exchange->status >= 200;
    else if (!exchange->head_done)
        take_field(exchange, bytes, bare);
    if (exchange->head.length > HEAD_MOST) {
        (void)exchange_fault(exchange, "limit", "the headers of its answer are longer than 64 KiB");
        return 0;
    }
    return exchange->head.failed ? 0 : length;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
    Exchange *exchange = context;
    size_t length = size * count;

    if (redirect_wanted(exchange)) {
        exchange->skipped += length;
        return exchange->skipped > SKIPPED_MOST ? 0 : length;
    }
    if (length > exchange->request.body_most - exchange->body.length) {
        (void)exchange_fault(exchange, "limit",
                             arena_printf(&exchange->arena,
                                          "its answer is longer than %llu bytes, decoded",
                                          (unsigned long long)exchange->request.body_most));
        return 0;
    }
    buf_append(&exchange->body, bytes, length);
    return exchange->body.failed ? 0 : length;
}

/* ---- sending ---- */

static void set_method(const Exchange *exchange, CURL *easy)
{
    const char *method = exchange->method;
    bool expects_body =
        strcmp(method, "POST") == 0 || strcmp(method, "PUT") == 0 || strcmp(method, "PATCH") == 0;

    if (exchange->has_body || expects_body) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
                         exchange->has_body ? exchange->request.body : "");
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         exchange->has_body ? (curl_off_t)exchange->request.body_length
                                            : (curl_off_t)0);
    } else if (strcmp(method, "HEAD") == 0) {
        curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    }
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
}

static bool decodes(const Exchange *exchange)
{
    for (size_t i = 0; i < exchange->request.header_count; i++) {
        if (strcasecmp(exchange->request.headers[i].name, "accept-encoding") == 0)
            return false;
    }
    return true;
}

/* Nothing of the environment: no proxy, no netrc, no cookies. Redirects are followed by us. */
static void set_options(Exchange *exchange, const char *url, uint64_t left_ms)
{
    CURL *easy = exchange->easy;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, exchange->curl_error);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)left_ms);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_ready);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_RESOLVE, exchange->client->resolve);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "tenon");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, exchange->headers);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (decodes(exchange))
        curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    set_method(exchange, easy);
}

bool exchange_send(Exchange *exchange)
{
    uint64_t now = uv_now(&exchange->client->loop);
    const char *why = NULL, *url;

    exchange->grant =
        grant_find(&exchange->request, &exchange->place, exchange->method, &exchange->arena, &why);
    if (!exchange->grant) {
        if (exchange->hops > 0)
            why = arena_printf(&exchange->arena, "it was redirected, and %s", why ? why : "no");
        return exchange_fault(exchange, "denied", why);
    }
    if (now >= exchange->due)
        return exchange_fault(exchange, "timeout", "it took too long before it was sent");
    url = exchange_headers(exchange) ? exchange_url(exchange) : NULL;
    if (!url || exchange->arena.failed)
        return exchange->fault ? false : exchange_fault(exchange, "unavailable", NULL);
    if (exchange->easy)
        curl_easy_cleanup(exchange->easy);
    exchange->easy = curl_easy_init();
    if (!exchange->easy)
        return exchange_fault(exchange, "unavailable", NULL);
    set_options(exchange, url, exchange->due - now);
    return curl_multi_add_handle(exchange->client->curl.multi, exchange->easy) == CURLM_OK ||
           exchange_fault(exchange, "unavailable", "libcurl does not take it");
}

/* ---- ends ---- */

static void answer(Exchange *exchange, const HttpAnswer *answer)
{
    HttpClient *client = exchange->client;

    client_forget(exchange);
    exchange->done(exchange->user, exchange->call, answer);
    if (exchange->call)
        tn_call_finish(exchange->call);
    exchange_free(exchange);
    pthread_mutex_lock(&client->lock);
    pthread_cond_broadcast(&client->changed);
    pthread_mutex_unlock(&client->lock);
}

void exchange_fail(Exchange *exchange, const char *code, const char *words, bool retryable)
{
    HttpAnswer answered = {.error = code, .message = "there is no memory", .retryable = retryable};
    Buf text;

    buf_init(&text, &exchange->client->allocator, SIZE_MAX);
    secrets_scrub(&exchange->request, &text, words, strlen(words));
    buf_append_byte(&text, 0);
    if (!text.failed)
        answered.message = (const char *)text.data;
    answer(exchange, &answered);
    buf_release(&text);
}

static HttpHeader *list_headers(Exchange *exchange, Buf *head)
{
    HttpHeader *headers = ARENA_ARRAY(&exchange->arena, HttpHeader, exchange->header_count + 1);
    const char *at = (const char *)head->data, *end = at + head->length;

    at += head->length > 0 ? strlen(at) + 1 : 0; /* the status text */
    for (size_t i = 0; headers && i < exchange->header_count && at < end; i++) {
        headers[i].name = at;
        headers[i].value = at += strlen(at) + 1;
        at += strlen(at) + 1;
    }
    return headers;
}

static void give_answer(Exchange *exchange)
{
    const HttpRequest *request = &exchange->request;
    const tn_allocator *allocator = &exchange->client->allocator;
    Buf head, body, url;

    buf_init(&head, allocator, SIZE_MAX);
    buf_init(&body, allocator, SIZE_MAX);
    buf_init(&url, allocator, SIZE_MAX);
    secrets_scrub(request, &head, exchange->head.data, exchange->head.length);
    secrets_scrub(request, &body, exchange->body.data, exchange->body.length);
    secrets_scrub(request, &url, exchange->place.url, strlen(exchange->place.url) + 1);
    buf_release(&exchange->body);
    HttpHeader *headers = list_headers(exchange, &head);
    HttpAnswer answered = {.status = exchange->status,
                           .status_text = head.length > 0 ? (const char *)head.data : "",
                           .headers = headers,
                           .header_count = exchange->header_count,
                           .body = body.data,
                           .body_length = body.length,
                           .url = (const char *)url.data,
                           .redirected = exchange->hops > 0};
    if (head.failed || body.failed || url.failed || !headers)
        answered = (HttpAnswer){.error = "limit", .message = "there is no memory for its answer"};
    answer(exchange, &answered);
    buf_release(&head);
    buf_release(&body);
    buf_release(&url);
}

static void fail_by(Exchange *exchange, CURLcode code)
{
    const char *origin = place_origin(&exchange->arena, &exchange->place);
    const char *why = exchange->curl_error[0] ? exchange->curl_error : curl_easy_strerror(code);

    origin = origin ? origin : "it";
    if (exchange->fault)
        exchange_fail(exchange, exchange->fault, exchange->fault_words, false);
    else if (exchange->refused[0] && code != CURLE_OPERATION_TIMEDOUT)
        exchange_fail(exchange, "denied",
                      arena_printf(&exchange->arena,
                                   "%s is at the address %s, which is not on the public internet: "
                                   "the grant does not allow such addresses",
                                   origin, exchange->refused),
                      false);
    else if (code == CURLE_OPERATION_TIMEDOUT)
        exchange_fail(exchange, "timeout",
                      arena_printf(&exchange->arena, "%s did not answer in time (%s)", origin, why),
                      true);
    else if (exchange->body.failed || exchange->head.failed)
        exchange_fail(exchange, "limit", "there is no memory for its answer", false);
    else
        exchange_fail(exchange, "network",
                      arena_printf(&exchange->arena, "%s cannot be spoken to: %s", origin, why),
                      true);
}

void exchange_finish(Exchange *exchange, CURLcode code)
{
    bool elsewhere = redirect_wanted(exchange);

    if (code == CURLE_WRITE_ERROR && elsewhere && !exchange->fault)
        code = CURLE_OK;
    if (code != CURLE_OK || exchange->fault) {
        fail_by(exchange, code);
        return;
    }
    if (!elsewhere) {
        give_answer(exchange);
        return;
    }
    if (!redirect_follow(exchange) || !exchange_send(exchange))
        fail_by(exchange, CURLE_OK);
}
