/* Requests of ours that are not answered. */
#include "inside.h"

Pending *pending_new(McpServer *server, PendingKind kind)
{
    McpClient *client = server->client;
    Pending *pending = memory_new(&client->allocator, sizeof *pending);

    if (!pending)
        return NULL;
    pending->server = server;
    pending->kind = kind;
    pending->progress = -1;
    buf_init(&pending->tool, &client->allocator, 4096);
    buf_init(&pending->arguments, &client->allocator, (size_t)client->message_bytes);
    buf_init(&pending->answers, &client->allocator, (size_t)client->message_bytes);
    return pending;
}

void pending_append(Pending *pending)
{
    McpServer *server = pending->server;

    pending->next = NULL;
    pending->previous = server->pending_last;
    if (server->pending_last)
        server->pending_last->next = pending;
    else
        server->pending = pending;
    server->pending_last = pending;
    pending->listed = true;
}

static void detach(Pending *pending)
{
    McpServer *server = pending->server;

    if (!pending->listed)
        return;
    if (pending->previous)
        pending->previous->next = pending->next;
    else
        server->pending = pending->next;
    if (pending->next)
        pending->next->previous = pending->previous;
    else
        server->pending_last = pending->previous;
    pending->listed = false;
}

void pending_free(Pending *pending)
{
    detach(pending);
    questions_drop(pending->server, pending);
    if (pending->exchange)
        http_drop(pending->exchange);
    buf_release(&pending->tool);
    buf_release(&pending->arguments);
    buf_release(&pending->answers);
    memory_free(&pending->server->client->allocator, pending, sizeof *pending);
}

/* Answers come mostly in the order of the questions. */
Pending *pending_find(const McpServer *server, int64_t id)
{
    Pending *pending = server->pending;

    while (pending && (pending->id != id || id == 0))
        pending = pending->next;
    return pending;
}

Pending *pending_of_kind(const McpServer *server, PendingKind kind)
{
    Pending *pending = server->pending;

    while (pending && pending->kind != kind)
        pending = pending->next;
    return pending;
}

const char *pending_method(const Pending *pending)
{
    static const char *const methods[] = {
        [PENDING_DISCOVER] = "server/discover", [PENDING_INITIALIZE] = "initialize",
        [PENDING_LIST] = "tools/list",          [PENDING_LISTEN] = "subscriptions/listen",
        [PENDING_CALL] = "tools/call",
    };

    return methods[pending->kind];
}

/* ---- sending ---- */

void pending_begin(Pending *pending, Buf *message, const char *method)
{
    McpClient *client = pending->server->client;

    pending->id = ++pending->server->last_id;
    pending->delivered = false;
    buf_init(message, &client->allocator, (size_t)client->message_bytes * 2);
    message_request(message, pending->id, method);
}

static void send_message(McpServer *server, Pending *pending, Buf *message)
{
    const char *text = (const char *)message->data;
    int64_t id = pending ? pending->id : 0;

    if (message->failed) {
        if (pending)
            pending_failed(pending, "limit", "is not called: there is no memory for the message",
                           (tn_value){0});
    } else if (server->http) {
        http_send(server->http, pending, text, message->length);
    } else if (server->link) {
        buf_append_byte(message, '\n');
        text = (const char *)message->data;
        if ((message->failed || !link_send(server->link, text, message->length, id)) && pending)
            pending_failed(pending, "unavailable",
                           "does not read what it is sent: too much waits for it", (tn_value){0});
    }
    buf_release(message);
}

void pending_send(Pending *pending, Buf *message)
{
    send_message(pending->server, pending, message);
}

void server_send(McpServer *server, Buf *message)
{
    send_message(server, NULL, message);
}

/* Over HTTP the stateless era has no such notification: closing the stream says it. */
void pending_abandon(Pending *pending, const char *reason)
{
    McpServer *server = pending->server;
    Buf message;

    if (pending->id == 0 || pending->kind == PENDING_INITIALIZE ||
        (server->http && server->era == ERA_MODERN))
        return;
    buf_init(&message, &server->client->allocator, 4096);
    message_notification(&message, "notifications/cancelled");
    buf_append_string(&message, "\"requestId\":");
    message_int(&message, pending->id);
    buf_append_string(&message, ",\"reason\":");
    message_json_string(&message, reason, strlen(reason));
    message_end(&message, server, server->era, 0, false);
    server_send(server, &message);
}
