/* One transfer on libcurl: a hop is sent, its answer heard, and then there is another hop or an
 * end. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "http_inside.h"

enum { CONNECT_MS = 15000, HEAD_MOST = 64 * 1024, SKIPPED_MOST = 64 * 1024 };

bool transfer_fault(Transfer *transfer, const char *code, const char *words)
{
    transfer->fault = code;
    transfer->fault_words = words ? words : "there is no memory";
    return false;
}

/* ---- connecting ---- */

static curl_socket_t on_open(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    Transfer *transfer = context;
    const struct sockaddr *to = &address->addr;

    (void)purpose;
    if (!address_allowed(transfer->grant, to)) {
        const void *bytes =
            to->sa_family == AF_INET6
                ? (const void *)&((const struct sockaddr_in6 *)(const void *)to)->sin6_addr
                : (const void *)&((const struct sockaddr_in *)(const void *)to)->sin_addr;
        if (!inet_ntop(to->sa_family, bytes, transfer->refused, sizeof transfer->refused))
            (void)snprintf(transfer->refused, sizeof transfer->refused, "of another kind");
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* A connection that another request opened, under other grants, is looked at again. */
static int on_ready(void *context, char *address, char *local, int port, int local_port)
{
    Transfer *transfer = context;

    (void)local, (void)port, (void)local_port;
    if (address_text_allowed(transfer->grant, address))
        return CURL_PREREQFUNC_OK;
    (void)snprintf(transfer->refused, sizeof transfer->refused, "%s", address);
    return CURL_PREREQFUNC_ABORT;
}

/* ---- hearing ---- */

void transfer_clear(Transfer *transfer)
{
    buf_clear(&transfer->head);
    buf_clear(&transfer->body);
    transfer->header_count = 0;
    transfer->status = 0;
    transfer->head_done = false;
    transfer->location = NULL;
    transfer->skipped = 0;
    transfer->refused[0] = 0;
    transfer->curl_error[0] = 0;
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
static void take_status(Transfer *transfer, const char *line, size_t length)
{
    const char *end = line + length, *at = memchr(line, ' ', length);

    transfer_clear(transfer);
    for (at = at ? at + 1 : end; at < end && *at >= '0' && *at <= '9' && transfer->status < 1000;
         at++)
        transfer->status = transfer->status * 10 + (unsigned)(*at - '0');
    while (at < end && *at == ' ')
        at++;
    put_value(&transfer->head, at, (size_t)(end - at));
}

static void take_field(Transfer *transfer, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length), *end = line + length, *value;

    if (!colon || colon == line || memchr(line, 0, length))
        return;
    for (const char *at = line; at < colon; at++)
        buf_append_byte(&transfer->head, (uint8_t)(*at | (*at >= 'A' && *at <= 'Z' ? 0x20 : 0)));
    buf_append_byte(&transfer->head, 0);
    for (value = colon + 1; value < end && (*value == ' ' || *value == '\t'); value++)
        ;
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    put_value(&transfer->head, value, (size_t)(end - value));
    transfer->header_count++;
    if (colon - line == 8 && strncasecmp(line, "location", 8) == 0)
        transfer->location = arena_text(&transfer->arena, value, (size_t)(end - value));
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context)
{
    Transfer *transfer = context;
    size_t length = size * count, bare = length;

    while (bare > 0 && (bytes[bare - 1] == '\r' || bytes[bare - 1] == '\n'))
        bare--;
    if (bare >= 5 && strncasecmp(bytes, "HTTP/", 5) == 0 && !transfer->head_done)
        take_status(transfer, bytes, bare);
    else if (bare == 0)
        transfer->head_done = transfer->status >= 200;
    else if (!transfer->head_done)
        take_field(transfer, bytes, bare);
    if (transfer->head.length > HEAD_MOST) {
        (void)transfer_fault(transfer, "limit", "the headers of its answer are longer than 64 KiB");
        return 0;
    }
    return transfer->head.failed ? 0 : length;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
    Transfer *transfer = context;
    size_t length = size * count;

    if (redirect_wanted(transfer)) {
        transfer->skipped += length;
        return transfer->skipped > SKIPPED_MOST ? 0 : length;
    }
    if (length > transfer->request.body_most - transfer->body.length) {
        (void)transfer_fault(transfer, "limit",
                             arena_printf(&transfer->arena,
                                          "its answer is longer than %llu bytes, decoded",
                                          (unsigned long long)transfer->request.body_most));
        return 0;
    }
    buf_append(&transfer->body, bytes, length);
    return transfer->body.failed ? 0 : length;
}

/* ---- sending ---- */

static void set_method(const Transfer *transfer, CURL *easy)
{
    const char *method = transfer->method;
    bool expects_body =
        strcmp(method, "POST") == 0 || strcmp(method, "PUT") == 0 || strcmp(method, "PATCH") == 0;

    if (transfer->has_body || expects_body) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
                         transfer->has_body ? transfer->request.body : "");
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         transfer->has_body ? (curl_off_t)transfer->request.body_length
                                            : (curl_off_t)0);
    } else if (strcmp(method, "HEAD") == 0) {
        curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    }
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
}

static bool decodes(const Transfer *transfer)
{
    for (size_t i = 0; i < transfer->request.header_count; i++) {
        if (strcasecmp(transfer->request.headers[i].name, "accept-encoding") == 0)
            return false;
    }
    return true;
}

/* Nothing of the environment: no proxy, no netrc, no cookies. Redirects are followed by us. */
static void set_options(Transfer *transfer, const char *url, uint64_t left_ms)
{
    CURL *easy = transfer->easy;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->curl_error);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)left_ms);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_ready);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_RESOLVE, transfer->client->resolve);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "tenon");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (decodes(transfer))
        curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    set_method(transfer, easy);
}

bool transfer_send(Transfer *transfer)
{
    uint64_t now = uv_now(&transfer->client->loop);
    const char *why = NULL, *url;

    transfer->grant =
        grant_find(&transfer->request, &transfer->place, transfer->method, &transfer->arena, &why);
    if (!transfer->grant) {
        if (transfer->hops > 0)
            why = arena_printf(&transfer->arena, "it was redirected, and %s", why ? why : "no");
        return transfer_fault(transfer, "denied", why);
    }
    if (now >= transfer->due)
        return transfer_fault(transfer, "timeout", "it took too long before it was sent");
    url = transfer_headers(transfer) ? transfer_url(transfer) : NULL;
    if (!url || transfer->arena.failed)
        return transfer->fault ? false : transfer_fault(transfer, "unavailable", NULL);
    if (transfer->easy)
        curl_easy_cleanup(transfer->easy);
    transfer->easy = curl_easy_init();
    if (!transfer->easy)
        return transfer_fault(transfer, "unavailable", NULL);
    set_options(transfer, url, transfer->due - now);
    return curl_multi_add_handle(transfer->client->curl.multi, transfer->easy) == CURLM_OK ||
           transfer_fault(transfer, "unavailable", "libcurl does not take it");
}

/* ---- ends ---- */

static void answer(Transfer *transfer, const HttpAnswer *answer)
{
    HttpClient *client = transfer->client;

    client_forget(transfer);
    transfer->done(transfer->user, transfer->call, answer);
    if (transfer->call)
        tn_call_finish(transfer->call);
    transfer_free(transfer);
    pthread_mutex_lock(&client->lock);
    pthread_cond_broadcast(&client->changed);
    pthread_mutex_unlock(&client->lock);
}

void transfer_fail(Transfer *transfer, const char *code, const char *words, bool retryable)
{
    HttpAnswer answered = {.error = code, .message = "there is no memory", .retryable = retryable};
    Buf text;

    buf_init(&text, &transfer->client->allocator, SIZE_MAX);
    secrets_scrub(&transfer->request, &text, words, strlen(words));
    buf_append_byte(&text, 0);
    if (!text.failed)
        answered.message = (const char *)text.data;
    answer(transfer, &answered);
    buf_release(&text);
}

static HttpHeader *list_headers(Transfer *transfer, Buf *head)
{
    HttpHeader *headers = ARENA_ARRAY(&transfer->arena, HttpHeader, transfer->header_count + 1);
    const char *at = (const char *)head->data, *end = at + head->length;

    at += head->length > 0 ? strlen(at) + 1 : 0; /* the status text */
    for (size_t i = 0; headers && i < transfer->header_count && at < end; i++) {
        headers[i].name = at;
        headers[i].value = at += strlen(at) + 1;
        at += strlen(at) + 1;
    }
    return headers;
}

static void give_answer(Transfer *transfer)
{
    const HttpRequest *request = &transfer->request;
    const tn_allocator *allocator = &transfer->client->allocator;
    Buf head, body, url;

    buf_init(&head, allocator, SIZE_MAX);
    buf_init(&body, allocator, SIZE_MAX);
    buf_init(&url, allocator, SIZE_MAX);
    secrets_scrub(request, &head, transfer->head.data, transfer->head.length);
    secrets_scrub(request, &body, transfer->body.data, transfer->body.length);
    secrets_scrub(request, &url, transfer->place.url, strlen(transfer->place.url) + 1);
    buf_release(&transfer->body);
    HttpHeader *headers = list_headers(transfer, &head);
    HttpAnswer answered = {.status = transfer->status,
                           .status_text = head.length > 0 ? (const char *)head.data : "",
                           .headers = headers,
                           .header_count = transfer->header_count,
                           .body = body.data,
                           .body_length = body.length,
                           .url = (const char *)url.data,
                           .redirected = transfer->hops > 0};
    if (head.failed || body.failed || url.failed || !headers)
        answered = (HttpAnswer){.error = "limit", .message = "there is no memory for its answer"};
    answer(transfer, &answered);
    buf_release(&head);
    buf_release(&body);
    buf_release(&url);
}

static void fail_by(Transfer *transfer, CURLcode code)
{
    const char *origin = place_origin(&transfer->arena, &transfer->place);
    const char *why = transfer->curl_error[0] ? transfer->curl_error : curl_easy_strerror(code);

    origin = origin ? origin : "it";
    if (transfer->fault)
        transfer_fail(transfer, transfer->fault, transfer->fault_words, false);
    else if (transfer->refused[0] && code != CURLE_OPERATION_TIMEDOUT)
        transfer_fail(transfer, "denied",
                      arena_printf(&transfer->arena,
                                   "%s is at the address %s, which is not on the public internet: "
                                   "the grant does not allow such addresses",
                                   origin, transfer->refused),
                      false);
    else if (code == CURLE_OPERATION_TIMEDOUT)
        transfer_fail(transfer, "timeout",
                      arena_printf(&transfer->arena, "%s did not answer in time (%s)", origin, why),
                      true);
    else if (transfer->body.failed || transfer->head.failed)
        transfer_fail(transfer, "limit", "there is no memory for its answer", false);
    else
        transfer_fail(transfer, "network",
                      arena_printf(&transfer->arena, "%s cannot be spoken to: %s", origin, why),
                      true);
}

void transfer_finish(Transfer *transfer, CURLcode code)
{
    bool elsewhere = redirect_wanted(transfer);

    if (code == CURLE_WRITE_ERROR && elsewhere && !transfer->fault)
        code = CURLE_OK;
    if (code != CURLE_OK || transfer->fault) {
        fail_by(transfer, code);
        return;
    }
    if (!elsewhere) {
        give_answer(transfer);
        return;
    }
    if (!redirect_follow(transfer) || !transfer_send(transfer))
        fail_by(transfer, CURLE_OK);
}
