/* tools/call: sent, kept alive by progress, ended by an answer, a limit, its run or its server. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "inside.h"
#include "plain_json.h"

enum { ROUNDS_MOST = 10, TEXT_MOST = 4096 };

/* ---- on the run's thread ---- */

static void cancelled(void *user)
{
    McpClient *client = user;

    pthread_mutex_lock(&client->lock);
    client->sweep = true;
    pthread_mutex_unlock(&client->lock);
    client_wake(client);
}

/* The arguments as JSON, while they can still be read. False: the call has failed. */
static bool take_arguments(Pending *pending, const char *tool, tn_value arguments, tn_call *call)
{
    Buf why;

    buf_init(&why, &pending->server->client->allocator, 4096);
    buf_append(&pending->tool, tool, strlen(tool) + 1);
    tn_status status = TN_OK;
    if (tn_value_type(arguments) == TN_TYPE_NONE)
        buf_append_string(&pending->arguments, "{}");
    else
        status = plain_json_write(&pending->arguments, arguments, &why);
    buf_append_byte(&why, 0);
    if (status == TN_ERR_ARGUMENT)
        tn_call_fail(call, "arguments", why.failed ? "" : (const char *)why.data, false);
    else if (status != TN_OK || pending->tool.failed)
        tn_call_fail(call, "limit", "the arguments are too large to be sent", false);
    buf_release(&why);
    return status == TN_OK && !pending->tool.failed;
}

static void hand_in(McpClient *client, Pending *pending)
{
    pending->next = NULL;
    pthread_mutex_lock(&client->lock);
    if (client->incoming)
        client->incoming_last->next = pending;
    else
        client->incoming = pending;
    client->incoming_last = pending;
    pthread_mutex_unlock(&client->lock);
    client_wake(client);
}

/* The client is what is woken by a cancel, not the call's Pending: the wake may come after the call
 * has ended, and the client outlives all runs. */
void mcp_call(McpServer *server, const char *tool, tn_value arguments, tn_call *call)
{
    McpClient *client = server->client;
    Pending *pending = NULL;
    tn_status status = TN_ERR_STATE;

    if (client->owner == getpid()) {
        pthread_mutex_lock(&client->lock);
        status = client_run(client);
        pthread_mutex_unlock(&client->lock);
    }
    if (status == TN_OK)
        pending = pending_new(server, PENDING_CALL);
    if (!pending) {
        tn_call_fail(call, "unavailable",
                     status == TN_ERR_STATE
                         ? "MCP servers belong to the process that started them, not to its child"
                         : "there is no memory or no thread for calls to MCP servers",
                     status != TN_ERR_STATE);
        return;
    }
    if (!take_arguments(pending, tool, arguments, call)) {
        pending_free(pending);
        return;
    }
    if (tn_call_defer(call) != TN_OK) {
        tn_call_fail(call, "unavailable", "tools of MCP servers answer later: not synchronously",
                     false);
        pending_free(pending);
        return;
    }
    pending->call = call;
    tn_call_on_cancel(call, cancelled, client);
    hand_in(client, pending);
}

/* ---- ends ---- */

static void finish(Pending *pending)
{
    tn_call_finish(pending->call);
    pending->call = NULL;
    pending_free(pending);
}

static void fail_with(Pending *pending, const char *code, bool retryable, const char *text,
                      size_t length)
{
    Buf clean;

    buf_init(&clean, &pending->server->client->allocator, 64 * 1024);
    server_scrub(pending->server, &clean, text, length);
    buf_append_byte(&clean, 0);
    tn_call_fail(pending->call, code, clean.failed ? "" : (const char *)clean.data, retryable);
    buf_release(&clean);
    finish(pending);
}

void call_fail(Pending *pending, const char *code, bool retryable, const char *format, ...)
{
    char text[TEXT_MOST];
    va_list arguments;
    int at = snprintf(text, 512, "MCP server \"%s\" ", pending->server->name);

    if (at > 511)
        at = 511;
    va_start(arguments, format);
    vsnprintf(text + at, sizeof text - (size_t)at, format, arguments);
    va_end(arguments);
    fail_with(pending, code, retryable, text, strlen(text));
}

const char *pending_name(const Pending *pending)
{
    return pending->kind == PENDING_CALL ? (const char *)pending->tool.data
                                         : pending_method(pending);
}

/* ---- sending ---- */

void call_arrived(Pending *pending)
{
    McpServer *server = pending->server;
    McpClient *client = server->client;

    if (tn_call_cancelled(pending->call)) {
        finish(pending);
        return;
    }
    if (server->state == SERVER_FAILED && client_now(client) < server->not_before) {
        const char *error = server->catalogue ? server->catalogue->shown.error : NULL;
        error = error ? error : "the MCP server could not be started";
        fail_with(pending, "unavailable", true, error, strlen(error));
        return;
    }
    pending_append(pending);
    if (server->state == SERVER_READY)
        call_send(pending);
    else if (server->state != SERVER_STARTING)
        server_start(server);
}

void call_send(Pending *pending)
{
    McpServer *server = pending->server;
    uint64_t now = client_now(server->client);
    Buf message;

    if (!call_expected(pending))
        return;
    if (pending->total_due == 0)
        pending->total_due = now + server->call_most_ms;
    pending->idle_due = now + server->call_ms;
    pending->progress = -1;
    client_due(server->client, pending->idle_due);
    client_due(server->client, pending->total_due);
    pending_begin(pending, &message, "tools/call");
    buf_append_string(&message, "\"name\":");
    message_json_string(&message, pending_name(pending), pending->tool.length - 1);
    buf_append_string(&message, ",\"arguments\":");
    buf_append(&message, pending->arguments.data, pending->arguments.length);
    if (pending->answers.length > 0) {
        buf_append_byte(&message, ',');
        buf_append(&message, pending->answers.data, pending->answers.length);
    }
    message_end(&message, server, server->era, pending->id, false);
    pending_send(pending, &message);
}

void calls_flush(McpServer *server)
{
    for (Pending *pending = server->pending, *next; pending; pending = next) {
        next = pending->next;
        if (pending->kind == PENDING_CALL && pending->id == 0)
            call_send(pending);
    }
}

/* ---- answers ---- */

static void take_result(Pending *pending, tn_value result)
{
    const char *code = "tool_error";
    Buf error;

    buf_init(&error, &pending->server->client->allocator, 64 * 1024);
    if (result_write(result, tn_call_result(pending->call), &error, &code)) {
        server_scrub_result(pending->server, tn_call_result(pending->call));
        finish(pending);
    } else if (strcmp(code, "tool_error") == 0)
        fail_with(pending, code, false, (const char *)error.data, error.length);
    else
        call_fail(pending, code, false, "answered %s with %.*s", pending_name(pending),
                  (int)error.length, (const char *)error.data);
    buf_release(&error);
}

void call_answered(Pending *pending, tn_value result)
{
    size_t length;
    const char *type = tn_value_text(tn_value_member(result, "resultType"), &length);
    Buf clean;

    if (tn_value_type(result) != TN_TYPE_OBJECT) {
        call_fail(pending, "protocol", false, "answered %s with a result that is no object",
                  pending_name(pending));
    } else if (!type || (length == 8 && memcmp(type, "complete", 8) == 0)) {
        take_result(pending, result);
    } else if (length == 14 && memcmp(type, "input_required", 14) == 0) {
        if (++pending->rounds > ROUNDS_MOST)
            call_fail(pending, "protocol", false, "asked for more input %d times, to answer %s",
                      ROUNDS_MOST, pending_name(pending));
        else
            questions_ask(pending, result);
    } else {
        call_fail(pending, "protocol", false,
                  "answered %s with a result of the type \"%s\", which is not known here",
                  pending_name(pending), server_clean(pending->server, &clean, type, length, 60));
        buf_release(&clean);
    }
}

/* ---- what goes wrong ---- */

/* "answered t with error -32602: no such tool (...)" */
static void describe_error(const Pending *pending, tn_value error, char *text, size_t room)
{
    size_t length = 0;
    int64_t code = 0;
    const char *message = tn_value_text(tn_value_member(error, "message"), &length);
    tn_value data = tn_value_member(error, "data");
    Buf clean, json;

    (void)tn_value_int(tn_value_member(error, "code"), &code);
    buf_init(&json, &pending->server->client->allocator, 2000);
    if (tn_value_type(data) != TN_TYPE_NONE && tn_value_type(data) != TN_TYPE_NULL)
        (void)plain_json_write(&json, data, NULL);
    server_clean(pending->server, &clean, message ? message : "", length, 2000);
    snprintf(text, room, "answered %s with error %lld: %s%s%.*s%s", pending_name(pending),
             (long long)code, clean.failed ? "" : (const char *)clean.data,
             json.length > 0 && !json.failed ? " (" : "", json.failed ? 0 : (int)json.length,
             (const char *)json.data, json.length > 0 && !json.failed ? ")" : "");
    buf_release(&clean);
    buf_release(&json);
}

void pending_failed(Pending *pending, const char *code, const char *complaint, tn_value error)
{
    McpServer *server = pending->server;
    PendingKind kind = pending->kind;
    char text[TEXT_MOST], number[24];
    int64_t error_code = 0;

    snprintf(text, sizeof text, "%s", complaint ? complaint : "");
    if (tn_value_type(error) == TN_TYPE_OBJECT) {
        describe_error(pending, error, text, sizeof text);
        (void)tn_value_int(tn_value_member(error, "code"), &error_code);
        snprintf(number, sizeof number, "%lld", (long long)error_code);
        code = number;
    }
    if (kind == PENDING_CALL) {
        call_fail(pending, code, !pending->delivered && error_code == 0, "%s", text);
        return;
    }
    pending_free(pending);
    if (kind == PENDING_DISCOVER && strcmp(code, "credentials") != 0 &&
        strcmp(code, "unavailable") != 0)
        server_discovered(server, NULL, error);
    else if (kind == PENDING_DISCOVER || (kind == PENDING_INITIALIZE && error_code == 0))
        server_failed(server, code, text);
    else if (kind == PENDING_INITIALIZE)
        server_greeted(server, NULL, text);
    else if (kind == PENDING_LIST)
        listing_page(server, NULL, text, error_code == -32601);
    else if (kind == PENDING_LISTEN && error_code == 0)
        server_unheard(server);
}

/* ---- while it takes its time ---- */

/* Any progress shows that somebody is at work; the host is told of what has increased. */
void call_progress(McpServer *server, tn_value params)
{
    McpHost *host = &server->client->host;
    double progress = tn_value_number(tn_value_member(params, "progress"));
    int64_t token;
    size_t length;
    Buf clean;

    if (!tn_value_int(tn_value_member(params, "progressToken"), &token))
        return;
    Pending *pending = pending_find(server, token);
    if (!pending || pending->kind != PENDING_CALL)
        return;
    pending->idle_due = client_now(server->client) + server->call_ms;
    client_due(server->client, pending->idle_due);
    if (!(progress > pending->progress) || !host->progress)
        return;
    pending->progress = progress;
    const char *message = tn_value_text(tn_value_member(params, "message"), &length);
    if (message)
        message = server_clean(server, &clean, message, length, 1000);
    host->progress(host->user, pending->call, progress,
                   tn_value_number(tn_value_member(params, "total")), message);
    if (message)
        buf_release(&clean);
}

static void time_out(Pending *pending, uint64_t now)
{
    McpServer *server = pending->server;
    bool total = now >= pending->total_due;
    uint32_t ms = total ? server->call_most_ms : server->call_ms;
    Buf behaviour;

    if (pending->exchange && http_untouched(pending->exchange))
        pending->delivered = false;
    pending_abandon(pending, "timeout");
    buf_init(&behaviour, &server->client->allocator, 1200);
    server_behaviour(server, &behaviour);
    call_fail(pending, "timeout", !pending->delivered, "gave no answer to %s within %u.%u s%s%.*s",
              pending_name(pending), ms / 1000, ms % 1000 / 100,
              total ? ", whatever its progress" : "", (int)behaviour.length,
              (const char *)behaviour.data);
    buf_release(&behaviour);
}

void calls_tick(McpServer *server, uint64_t now)
{
    for (Pending *pending = server->pending, *next; pending; pending = next) {
        bool call = pending->kind == PENDING_CALL;
        next = pending->next;
        if (pending->id == 0 || (call && server->open_questions > 0) || pending->total_due == 0)
            continue;
        if (call && (now >= pending->idle_due || now >= pending->total_due)) {
            time_out(pending, now);
        } else if (!call && now >= pending->total_due) {
            pending_failed(pending, "timeout", "did not list its tools in time", (tn_value){0});
        } else {
            client_due(server->client, call ? pending->idle_due : 0);
            client_due(server->client, pending->total_due);
        }
    }
}

void calls_swept(McpServer *server)
{
    for (Pending *pending = server->pending, *next; pending; pending = next) {
        next = pending->next;
        if (pending->kind != PENDING_CALL || !tn_call_cancelled(pending->call))
            continue;
        pending_abandon(pending, "the run that asked has ended");
        finish(pending);
    }
}
