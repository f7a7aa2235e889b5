/* fetch: the realm's global, behind it a host function for each method ("fetch.get"), so that
 * policies, limits, overrides and the journal know them as they know all others; behind those the
 * HTTP client, with what the run's policy grants. */
#include "fetch.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base.h"
#include "http_client.h"
#include "memory.h"

enum { HEADERS_MOST = 1000, ANSWER_REST = 160 * 1024 /* of a reply, beside the body */ };

static const char missing[] = "a policy can grant it (\"fetch\" in its file, --allow-fetch URL)";

extern const char fetch_declarations[], fetch_declarations_end[];

/* ---- the answer ---- */

static void put_member(tn_writer *writer, const char *name, const char *text)
{
    tn_put_key(writer, name);
    tn_put_string(writer, text);
}

static void on_answer(void *user, tn_call *call, const HttpAnswer *answer)
{
    tn_writer *writer = tn_call_result(call);

    (void)user;
    if (answer->error && strcmp(answer->error, "denied") == 0) {
        call_refuse(call, answer->message);
        return;
    }
    if (answer->error) {
        tn_call_fail(call, answer->error, answer->message, answer->retryable);
        return;
    }
    tn_put_object_begin(writer);
    tn_put_key(writer, "status");
    tn_put_int(writer, answer->status);
    put_member(writer, "statusText", answer->status_text);
    put_member(writer, "url", answer->url);
    tn_put_key(writer, "redirected");
    tn_put_bool(writer, answer->redirected);
    tn_put_key(writer, "headers");
    tn_put_array_begin(writer);
    for (size_t i = 0; i < answer->header_count; i++) {
        tn_put_array_begin(writer);
        tn_put_string(writer, answer->headers[i].name);
        tn_put_string(writer, answer->headers[i].value);
        tn_put_array_end(writer);
    }
    tn_put_array_end(writer);
    tn_put_key(writer, "body");
    tn_put_bytes(writer, answer->body, answer->body_length);
    tn_put_object_end(writer);
}

/* ---- the request ---- */

/* NULL: there is none, or it holds a NUL. */
static const char *text_of(Arena *arena, tn_value value)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text && !memchr(text, 0, length) ? arena_text(arena, text, length) : NULL;
}

static bool read_headers(Arena *arena, tn_value list, HttpRequest *request)
{
    size_t count = tn_value_count(list);
    HttpHeader *headers = ARENA_ARRAY(arena, HttpHeader, count + 1);
    tn_cursor cursor = {0};

    if (!headers || count > HEADERS_MOST)
        return false;
    while (request->header_count < count && tn_value_next(list, &cursor)) {
        HttpHeader *header = &headers[request->header_count++];
        tn_cursor pair = {0};
        if (tn_value_next(cursor.value, &pair))
            header->name = text_of(arena, pair.value);
        if (tn_value_next(cursor.value, &pair))
            header->value = text_of(arena, pair.value);
        if (!header->name || !header->value)
            return false;
    }
    request->headers = headers;
    return true;
}

static bool read_request(Arena *arena, tn_value order, HttpRequest *request)
{
    const char *redirect = text_of(arena, tn_value_member(order, "redirect"));
    tn_value body = tn_value_member(order, "body");
    int64_t number = 0;

    request->method = text_of(arena, tn_value_member(order, "method"));
    request->url = text_of(arena, tn_value_member(order, "url"));
    if (redirect)
        request->redirect = strcmp(redirect, "error") == 0    ? HTTP_REDIRECT_ERROR
                            : strcmp(redirect, "manual") == 0 ? HTTP_REDIRECT_MANUAL
                                                              : HTTP_REDIRECT_FOLLOW;
    if (tn_value_type(body) == TN_TYPE_BYTES) {
        request->body = tn_value_text(body, &request->body_length);
        request->body = request->body ? request->body : "";
    }
    if (tn_value_int(tn_value_member(order, "timeoutMs"), &number) && number > 0)
        request->timeout_ms = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    return request->method && request->url &&
           read_headers(arena, tn_value_member(order, "headers"), request);
}

/* The caller's number of a request is its run's alone. */
static uint64_t number_of(const tn_call *call, tn_value number)
{
    int64_t own = 0;

    (void)tn_value_int(number, &own);
    return (uint64_t)call_setting(call).generation << 32 | (uint32_t)own;
}

static bool fits_function(const char *function, const char *method)
{
    static const char *const named[] = {"get", "head", "options", "post", "put", "patch", "delete"};
    const char *name = strrchr(function, '.') + 1;

    for (size_t i = 0; i < COUNT_OF(named); i++) {
        if (strcasecmp(named[i], method) == 0)
            return strcmp(name, named[i]) == 0;
    }
    return strcmp(name, "other") == 0;
}

/* What an override or another function of the host's does with it may be no request of ours. */
static void call_fetch(void *context, tn_call *call)
{
    tn_engine *engine = context;
    CallSetting setting = call_setting(call);
    tn_value order = tn_call_argument(call, 0);
    HttpRequest request = {.missing_grant = missing,
                           .number = number_of(call, tn_value_member(order, "number"))};
    Arena scratch;

    arena_init(&scratch, &engine->allocator, (size_t)16 << 20);
    if (setting.policy) {
        request.grants = setting.policy->grants;
        request.grant_count = setting.policy->grant_count;
    }
    request.body_most = setting.reply_bytes > 2 * ANSWER_REST ? setting.reply_bytes - ANSWER_REST
                                                              : setting.reply_bytes / 2;
    if (!read_request(&scratch, order, &request) ||
        !fits_function(tn_call_name(call), request.method))
        tn_call_fail(call, "arguments",
                     "it takes { method, url, headers: [[name, value], ...], body?: Uint8Array, "
                     "redirect?, timeoutMs? }, and its own method",
                     false);
    else
        http_call(engine->http, &request, call, on_answer, NULL);
    arena_release(&scratch);
}

static void call_abort(void *context, tn_call *call)
{
    tn_engine *engine = context;

    http_abort(engine->http, number_of(call, tn_call_argument(call, 0)));
}

/* ---- the engine ---- */

tn_status tn_engine_add_fetch(tn_engine *engine)
{
    if (engine->closed)
        return TN_ERR_STATE;
    engine->has_fetch = true;
    return TN_OK;
}

tn_status fetch_open(tn_engine *engine)
{
    static const char *const names[] = {"get", "head",  "options", "post",
                                        "put", "patch", "delete",  "other"};
    Registry *registry = &engine->registry;
    size_t before = registry->count;
    const char *text = fetch_declarations;
    char name[32];
    HttpClient *client;

    if (!engine->has_fetch)
        return TN_OK;
    TRY(engine_http(engine, &client));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        (void)snprintf(name, sizeof name, "fetch.%s", names[i]);
        TRY(registry_add(registry, ENTRY_FUNCTION, name,
                         ENTRY_INSIDE | TN_FUNCTION_UNLISTED |
                             (i < 3 ? (unsigned)TN_FUNCTION_READ_ONLY : 0),
                         (Provider){.context = engine, .invoke = call_fetch}));
    }
    TRY(registry_add(registry, ENTRY_FUNCTION, "fetch.abort",
                     ENTRY_INSIDE | TN_FUNCTION_UNLISTED | TN_FUNCTION_SYNC | TN_FUNCTION_READ_ONLY,
                     (Provider){.context = engine, .invoke = call_abort}));
    TRY(registry_first(registry, before));
    return engine_declare(engine, FETCH_DECLARATION, text,
                          (size_t)((uintptr_t)fetch_declarations_end - (uintptr_t)text));
}

tn_status fetch_said(Arena *arena, const tn_policy *policy, Declaration *out_declaration)
{
    enum { SHOWN_MOST = 600 };
    tn_status status;
    Buf text;

    buf_init(&text, arena->allocator, SIZE_MAX);
    for (size_t i = 0; tn_policy_fetches(policy) && i < policy->grant_count; i++) {
        const HttpGrant *grant = &policy->grants[i];
        buf_append_string(
            &text, i ? ", " : "/** As in browsers and Node, without streams; it reaches only ");
        if (text.length > SHOWN_MOST) {
            buf_append_string(&text, "...");
            break;
        }
        buf_append_string(&text, grant->origin);
        if (grant->path && !strstr(grant->path, "*/") && !strchr(grant->origin, '*'))
            buf_append_string(&text, grant->path);
        for (size_t j = 0; j < grant->method_count; j++) {
            buf_append_string(&text, j ? " " : " (");
            buf_append_string(&text, grant->methods[j]);
        }
        buf_append_string(&text, grant->method_count > 0 ? ")" : "");
    }
    if (text.length > 0)
        buf_append_string(&text, ". */\ndeclare function fetch(url: string | URL, init?: object): "
                                 "Promise<Response>;\n");
    out_declaration->text = arena_text(arena, (const char *)text.data, text.length);
    out_declaration->length = text.length;
    status = out_declaration->text ? buf_status(&text) : TN_ERR_NOMEM;
    buf_release(&text);
    return status;
}
