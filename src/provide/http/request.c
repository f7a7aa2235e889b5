/* A request taken over, and what goes out of it on each hop. */
#include <stdio.h>
#include <strings.h>

#include "http_inside.h"
#include "utf8.h"

enum { BODY_MOST = 8 << 20, REQUEST_MOST = 256 << 20, TIMEOUT_MS = 60000 };

/* ---- taking it over ---- */

static const char *copy_text(Arena *arena, const char *text)
{
    return text ? arena_string(arena, text) : NULL;
}

static void copy_credentials(Arena *arena, HttpGrant *grant)
{
    HttpCredential *copy = ARENA_ARRAY(arena, HttpCredential, grant->credential_count + 1);

    for (size_t i = 0; copy && i < grant->credential_count; i++) {
        const HttpCredential *from = &grant->credentials[i];
        copy[i] = (HttpCredential){from->kind, copy_text(arena, from->name),
                                   copy_text(arena, from->prefix), copy_text(arena, from->value),
                                   copy_text(arena, from->reference)};
    }
    grant->credentials = copy;
}

static void copy_grants(Arena *arena, HttpRequest *request)
{
    HttpGrant *copy = ARENA_ARRAY(arena, HttpGrant, request->grant_count + 1);

    for (size_t i = 0; copy && i < request->grant_count; i++) {
        copy[i] = request->grants[i];
        copy[i].origin = copy_text(arena, copy[i].origin);
        copy[i].path = copy_text(arena, copy[i].path);
        const char **methods = ARENA_ARRAY(arena, const char *, copy[i].method_count + 1);
        for (size_t j = 0; methods && j < copy[i].method_count; j++)
            methods[j] = copy_text(arena, copy[i].methods[j]);
        copy[i].methods = methods;
        copy_credentials(arena, &copy[i]);
    }
    request->grants = copy;
}

/* RFC 9110, 5.6.2 */
static bool is_token(const char *text)
{
    const char *at = text;

    for (; *at; at++) {
        char c = *at;
        bool word = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!word && !strchr("!#$%&'*+-.^_`|~", c))
            return false;
    }
    return at > text;
}

/* Characters to U+00FF, a byte each on the wire. NULL: others, or what would end the line. */
static const char *wire_value(Arena *arena, const char *text)
{
    size_t length = strlen(text), bytes;
    char *value = arena_push(arena, length + 1), *to = value;
    uint32_t code;

    for (size_t i = 0; value && i < length; i += bytes) {
        bytes = utf8_decode(text + i, length - i, &code);
        if (bytes == 0 || code > 0xff || (code < 0x20 && code != '\t') || code == 0x7f)
            return NULL;
        *to++ = (char)(unsigned char)code;
    }
    return value;
}

/* What belongs to the connection, or says which of several hosts at one address is meant. */
static bool is_ours(const char *name)
{
    static const char *const names[] = {"host",
                                        "connection",
                                        "keep-alive",
                                        "content-length",
                                        "transfer-encoding",
                                        "te",
                                        "trailer",
                                        "upgrade",
                                        "expect",
                                        "http2-settings",
                                        "proxy-authorization",
                                        "proxy-connection"};

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcasecmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static const char *copy_headers(Arena *arena, HttpRequest *request)
{
    HttpHeader *copy = ARENA_ARRAY(arena, HttpHeader, request->header_count + 1);
    size_t count = 0;

    for (size_t i = 0; copy && i < request->header_count; i++) {
        const HttpHeader *header = &request->headers[i];
        if (!is_token(header->name))
            return "a name of a header is none";
        if (strcasecmp(header->name, "content-length") == 0)
            continue; /* of the body as it is sent */
        if (is_ours(header->name))
            return arena_printf(arena, "the header %s is not for programs to set", header->name);
        copy[count].name = arena_string(arena, header->name);
        copy[count].value = wire_value(arena, header->value);
        if (!arena->failed && !copy[count++].value)
            return arena_printf(arena, "the header %s holds characters that no header may have",
                                header->name);
    }
    request->headers = copy;
    request->header_count = count;
    return NULL;
}

static const char *method_fault(const char *method)
{
    static const char *const never[] = {"CONNECT", "TRACE", "TRACK"};

    if (!is_token(method) || strlen(method) > 32)
        return "its method is none";
    for (size_t i = 0; i < COUNT_OF(never); i++) {
        if (strcasecmp(method, never[i]) == 0)
            return "its method is not for programs";
    }
    return NULL;
}

static const char *take_over(Transfer *transfer)
{
    HttpRequest *request = &transfer->request;
    Arena *arena = &transfer->arena;
    const char *fault;

    request->method = request->method ? arena_string(arena, request->method) : "GET";
    request->missing_grant = copy_text(arena, request->missing_grant);
    request->timeout_ms = request->timeout_ms ? request->timeout_ms : TIMEOUT_MS;
    request->body_most = request->body_most ? request->body_most : BODY_MOST;
    transfer->has_body = request->body != NULL;
    if (request->body)
        request->body = arena_text(arena, request->body, request->body_length);
    copy_grants(arena, request);
    fault = request->method ? method_fault(request->method) : NULL;
    if (!fault)
        fault = copy_headers(arena, request);
    transfer->method = request->method;
    if (fault || arena->failed)
        return fault;
    fault = place_read(arena, request->url, NULL, &transfer->place);
    return fault ? arena_printf(arena, "its URL %s", fault) : NULL;
}

Transfer *transfer_new(HttpClient *client, const HttpRequest *request, const char **out_fault)
{
    const tn_allocator *allocator = &client->allocator;
    Transfer *transfer = memory_new(allocator, sizeof *transfer);

    if (!transfer)
        return NULL;
    transfer->client = client;
    transfer->request = *request;
    arena_init(&transfer->arena, allocator, REQUEST_MOST);
    buf_init(&transfer->head, allocator, SIZE_MAX);
    buf_init(&transfer->body, allocator, SIZE_MAX);
    *out_fault = take_over(transfer);
    if (transfer->arena.failed) {
        transfer_free(transfer);
        return NULL;
    }
    return transfer;
}

void transfer_free(Transfer *transfer)
{
    tn_allocator allocator = transfer->client->allocator;

    if (transfer->easy)
        curl_easy_cleanup(transfer->easy);
    if (transfer->headers)
        curl_slist_free_all(transfer->headers);
    buf_release(&transfer->head);
    buf_release(&transfer->body);
    arena_release(&transfer->arena);
    memory_free(&allocator, transfer, sizeof *transfer);
}

/* ---- what goes out ---- */

static bool add_line(Transfer *transfer, const char *line)
{
    struct curl_slist *grown = line ? curl_slist_append(transfer->headers, line) : NULL;

    if (grown)
        transfer->headers = grown;
    return grown != NULL;
}

static bool add_header(Transfer *transfer, const char *name, const char *value)
{
    Arena *arena = &transfer->arena;

    return add_line(transfer, *value ? arena_printf(arena, "%s: %s", name, value)
                                     : arena_printf(arena, "%s;", name));
}

/* The header that a credential goes out in; NULL: in none. */
static const char *header_of(const HttpCredential *credential)
{
    switch (credential->kind) {
    case HTTP_CREDENTIAL_HEADER:
        return credential->name;
    case HTTP_CREDENTIAL_COOKIE:
        return "cookie";
    case HTTP_CREDENTIAL_BASIC:
        return "authorization";
    case HTTP_CREDENTIAL_QUERY:
        break;
    }
    return NULL;
}

/* A grant's credential stands in place of what the program says; cookies stand beside each other.
 */
static bool is_replaced(const Transfer *transfer, const char *name)
{
    for (size_t i = 0; i < transfer->grant->credential_count; i++) {
        const char *header = header_of(&transfer->grant->credentials[i]);
        if (header && strcasecmp(header, name) == 0)
            return true;
    }
    return false;
}

/* Left behind at a redirect: the program's credentials at another origin, and what tells of a body
 * that is not sent any more. */
static bool is_left_behind(const Transfer *transfer, const char *name)
{
    if (transfer->crossed &&
        (strcasecmp(name, "authorization") == 0 || strcasecmp(name, "cookie") == 0))
        return true;
    return transfer->request.body && !transfer->has_body && strncasecmp(name, "content-", 8) == 0;
}

static const char *own_cookies(const Transfer *transfer)
{
    for (size_t i = 0; i < transfer->request.header_count && !transfer->crossed; i++) {
        if (strcasecmp(transfer->request.headers[i].name, "cookie") == 0)
            return transfer->request.headers[i].value;
    }
    return NULL;
}

static bool add_credential(Transfer *transfer, const HttpCredential *credential)
{
    Arena *arena = &transfer->arena;
    const char *value = wire_value(arena, credential->value);
    Buf text;

    if (credential->kind == HTTP_CREDENTIAL_QUERY) /* percent-encoded: transfer_url */
        return true;
    if (!value && !arena->failed)
        return transfer_fault(
            transfer, "unavailable",
            arena_printf(arena, "the secret %s holds characters that no header may have",
                         credential->reference ? credential->reference : "of it"));
    switch (credential->kind) {
    case HTTP_CREDENTIAL_HEADER:
        return add_header(
            transfer, credential->name,
            arena_printf(arena, "%s%s", credential->prefix ? credential->prefix : "", value));
    case HTTP_CREDENTIAL_BASIC:
        buf_init(&text, &transfer->client->allocator, SIZE_MAX);
        value = credential->name ? arena_printf(arena, "%s:%s", credential->name, credential->value)
                                 : credential->value;
        if (value)
            secrets_base64(&text, value, strlen(value));
        value = arena_printf(arena, "Basic %.*s", (int)text.length, (const char *)text.data);
        buf_release(&text);
        return value && add_header(transfer, "Authorization", value);
    default:
        return true;
    }
}

static bool add_cookies(Transfer *transfer)
{
    Arena *arena = &transfer->arena;
    const char *cookies = own_cookies(transfer);

    for (size_t i = 0; i < transfer->grant->credential_count; i++) {
        const HttpCredential *one = &transfer->grant->credentials[i];
        if (one->kind == HTTP_CREDENTIAL_COOKIE)
            cookies = arena_printf(arena, "%s%s%s=%s", cookies ? cookies : "", cookies ? "; " : "",
                                   one->name, one->value);
    }
    return add_header(transfer, "Cookie", cookies ? cookies : "");
}

static bool add_credentials(Transfer *transfer)
{
    const HttpGrant *grant = transfer->grant;
    bool has_cookie = false;

    for (size_t i = 0; i < grant->credential_count; i++) {
        const HttpCredential *one = &grant->credentials[i];
        if (!one->value)
            return transfer_fault(
                transfer, "unavailable",
                arena_printf(&transfer->arena,
                             "the secret %s, which requests to %s need, was not to be had",
                             one->reference ? one->reference : one->name, grant->origin));
        has_cookie |= one->kind == HTTP_CREDENTIAL_COOKIE;
        if (!add_credential(transfer, one))
            return false;
    }
    return !has_cookie || add_cookies(transfer);
}

bool transfer_headers(Transfer *transfer)
{
    static const char *const silent[] = {"Expect:", "Content-Type:"};
    bool typed = false, done = true;

    if (transfer->headers)
        curl_slist_free_all(transfer->headers);
    transfer->headers = NULL;
    for (size_t i = 0; done && i < transfer->request.header_count; i++) {
        const HttpHeader *header = &transfer->request.headers[i];
        if (is_replaced(transfer, header->name) || is_left_behind(transfer, header->name))
            continue;
        typed |= strcasecmp(header->name, "content-type") == 0;
        done = add_header(transfer, header->name, header->value);
    }
    for (size_t i = 0; done && i < COUNT_OF(silent) - typed; i++)
        done = add_line(transfer, silent[i]);
    return done && add_credentials(transfer);
}

const char *transfer_url(Transfer *transfer)
{
    const char *url = transfer->place.url;

    for (size_t i = 0; url && i < transfer->grant->credential_count; i++) {
        const HttpCredential *one = &transfer->grant->credentials[i];
        if (one->kind == HTTP_CREDENTIAL_QUERY && one->value)
            url = place_with_parameter(&transfer->arena, url, one->name, one->value);
    }
    return url;
}
