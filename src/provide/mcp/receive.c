/* A message that came: an answer, a notification, a request. */
#include <stdio.h>

#include "inside.h"
#include "lines.h"
#include "plain_json.h"

enum { TEXT_MOST = 512 };

static bool is_text(tn_value value, const char *wanted)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text && length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

/* ---- answers ---- */

static void take_result(Pending *pending, tn_value result)
{
    McpServer *server = pending->server;
    PendingKind kind = pending->kind;

    server->spoke = true;
    if (kind == PENDING_CALL) {
        call_answered(pending, result);
        return;
    }
    pending_free(pending);
    if (kind == PENDING_DISCOVER)
        server_discovered(server, &result, (tn_value){0});
    else if (kind == PENDING_INITIALIZE)
        server_greeted(server, &result, NULL);
    else if (kind == PENDING_LIST)
        listing_page(server, &result, NULL, false);
    else if (kind == PENDING_LISTEN)
        server_unheard(server);
}

static void complain(Pending *pending, const char *code, const char *what)
{
    char text[TEXT_MOST];

    snprintf(text, sizeof text, "answered %.200s with %s", pending_name(pending), what);
    pending_failed(pending, code, text, (tn_value){0});
}

/* Our ids are numbers. Some servers send them back as text. */
static int64_t id_of(tn_value value)
{
    int64_t id = 0;
    size_t length;
    const char *text = tn_value_text(value, &length);

    for (size_t i = 0; text && i < length; i++) {
        if (length > 15 || text[i] < '0' || text[i] > '9')
            return 0;
        id = id * 10 + (text[i] - '0');
    }
    return text || tn_value_int(value, &id) ? id : 0;
}

/* It could not read a request: HTTP shows which one that was; else it is clear if there is one. */
static Pending *unread(const McpServer *server, Pending *via, tn_value error)
{
    Pending *only = NULL;

    if (via || tn_value_type(error) != TN_TYPE_OBJECT)
        return via;
    for (Pending *one = server->pending; one; one = one->next) {
        if (one->kind == PENDING_LISTEN)
            continue;
        if (only || one->id == 0)
            return NULL;
        only = one;
    }
    return only;
}

static void take_answer(McpServer *server, Pending *via, tn_value message)
{
    tn_value id_value = tn_value_member(message, "id");
    tn_value result = tn_value_member(message, "result");
    tn_value error = tn_value_member(message, "error");
    tn_type id_type = tn_value_type(id_value);
    int64_t id = id_of(id_value);
    Pending *pending = id > 0 ? pending_find(server, id) : NULL;

    if (id_type == TN_TYPE_NULL || id_type == TN_TYPE_NONE)
        pending = unread(server, via, error);
    if (!pending) {
        /* late answers, and second ones, are to requests that nobody waits for any more */
        if (id <= 0 || id > server->last_id)
            server_odd(server, "sent an answer to what was not asked");
        return;
    }
    pending->delivered = true;
    if (tn_value_type(error) == TN_TYPE_OBJECT) {
        server->spoke = true;
        pending_failed(pending, "protocol", NULL, error);
    } else if (tn_value_type(result) == TN_TYPE_NONE) {
        complain(pending, "protocol", "neither a result nor an error");
    } else {
        take_result(pending, result);
    }
}

/* ---- requests: all but these are for what was not offered ---- */

static void take_request(McpServer *server, tn_value method, tn_value id_value, tn_value params)
{
    Buf message, id;

    buf_init(&id, &server->client->allocator, 1024);
    buf_init(&message, &server->client->allocator, 4096);
    if (plain_json_write(&id, id_value, NULL) == TN_OK) {
        const char *text = (const char *)id.data;
        if (is_text(method, "elicitation/create") && server->client->host.elicit) {
            question_request(server, text, id.length, params);
        } else {
            message_answer_begin(&message, text, id.length);
            buf_append_string(
                &message, is_text(method, "ping")
                              ? "\"result\":{}}"
                              : "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
            server_send(server, &message);
        }
    }
    buf_release(&message);
    buf_release(&id);
}

/* ---- notifications ---- */

static void take_log(McpServer *server, tn_value params)
{
    size_t length;
    tn_value data = tn_value_member(params, "data");
    const char *text = tn_value_text(tn_value_member(params, "level"), &length);
    char level[16] = "info";
    Buf line;

    if (text && length < sizeof level && memchr(text, 0, length) == NULL) {
        memcpy(level, text, length);
        level[length] = '\0';
    }
    buf_init(&line, &server->client->allocator, 32 * 1024);
    text = tn_value_text(tn_value_member(params, "logger"), &length);
    if (text) {
        buf_append(&line, text, length);
        buf_append_string(&line, ": ");
    }
    text = tn_value_text(data, &length);
    if (text)
        buf_append(&line, text, length);
    else
        (void)plain_json_write(&line, data, NULL);
    server_line(server, level, (const char *)line.data, line.length);
    buf_release(&line);
}

static void take_notification(McpServer *server, tn_value method, tn_value params)
{
    McpHost *host = &server->client->host;

    if (is_text(method, "notifications/progress")) {
        call_progress(server, params);
    } else if (is_text(method, "notifications/message")) {
        take_log(server, params);
    } else if (is_text(method, "notifications/tools/list_changed")) {
        server->stale = true;
        server->listen_failures = 0;
        server_relist(server);
        if (host->changed)
            host->changed(host->user, server);
    } else if (is_text(method, "notifications/cancelled")) {
        question_withdrawn(server, tn_value_member(params, "requestId"));
    }
}

/* ---- messages ---- */

static void take_message(McpServer *server, Pending *via, tn_value message)
{
    tn_value method = tn_value_member(message, "method");
    tn_value id = tn_value_member(message, "id");
    tn_value params = tn_value_member(message, "params");
    tn_type id_type = tn_value_type(id);

    if (tn_value_type(message) != TN_TYPE_OBJECT)
        server_odd(server, "sent JSON that is no message");
    else if (tn_value_type(method) != TN_TYPE_TEXT)
        take_answer(server, via, message);
    else if (id_type == TN_TYPE_NONE || id_type == TN_TYPE_NULL)
        take_notification(server, method, params);
    else
        take_request(server, method, id, params);
}

/* Not to be read as a whole: perhaps it still shows whose answer it was to be. */
static void take_unreadable(McpServer *server, Pending *via, const char *text, size_t length,
                            tn_status status)
{
    IdFinder finder = {0};
    Buf clean;

    id_finder_feed(&finder, text, length);
    Pending *pending = pending_find(server, finder.id);
    pending = pending ? pending : via;
    if (!pending) {
        server_odd(server, "printed \"%s\" where only messages of the protocol may be",
                   server_clean(server, &clean, text, length, 80));
        buf_release(&clean);
        return;
    }
    pending->delivered = true;
    if (status == TN_ERR_ARGUMENT)
        complain(pending, "protocol", "what is not JSON in UTF-8");
    else
        complain(pending, "limit",
                 status == TN_ERR_LIMIT ? "a value that is nested too deep"
                                        : "more than there is memory for");
}

/* Arrays of messages were allowed in one revision. What a message does may end the server's
 * process or session, but never the server itself. */
void server_receive(McpServer *server, Pending *via, const char *text, size_t length)
{
    tn_cursor cursor = {0};
    Buf cbor;

    buf_init(&cbor, &server->client->allocator, SIZE_MAX);
    tn_status status = plain_json_read(&cbor, text, length);
    tn_value message = {cbor.data, cbor.data, cbor.data + cbor.length};
    if (status != TN_OK)
        take_unreadable(server, via, text, length, status);
    else if (tn_value_type(message) != TN_TYPE_ARRAY)
        take_message(server, via, message);
    else
        while (tn_value_next(message, &cursor))
            take_message(server, NULL, cursor.value);
    buf_release(&cbor);
}

void server_receive_long(McpServer *server, Pending *via, int64_t id, uint64_t length)
{
    Pending *pending = id > 0 ? pending_find(server, id) : NULL;
    char text[100];

    pending = pending ? pending : via;
    snprintf(text, sizeof text, "%llu bytes; %llu are the most for one message",
             (unsigned long long)length, (unsigned long long)server->client->message_bytes);
    if (!pending) {
        server_odd(server, "sent a message of %s", text);
        return;
    }
    pending->delivered = true;
    complain(pending, "limit", text);
}
