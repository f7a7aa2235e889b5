/* The life of a server: started, probed for its era, greeted, listed, used; lost and started again.
 *
 *   IDLE -> STARTING -> READY -> IDLE           (its process or session ended)
 *                    -> FAILED -> STARTING      (asked for again, not before some time has passed)
 */
#include <stdio.h>

#include "inside.h"

enum {
    PROBE_MS = 3000,   /* silence for so long means the era of the handshake */
    STEADY_MS = 10000, /* a server that ran so long has not failed in starting */
    BACK_OFF_MS = 250, /* doubled with each failure */
    BACK_OFF_MOST_MS = 8000,
    RENEWALS_MOST = 2,
    LISTEN_AGAIN_MS = 1000, /* doubled with each time in a row */
    LISTENS_MOST = 6,
    RELIST_MS = 50,
    RELIST_AGAIN_MS = 2000,
    TEXT_MOST = 2048
};

/* ---- starting ---- */

static void greet(McpServer *server)
{
    Pending *pending = pending_new(server, PENDING_INITIALIZE);
    Buf message;

    if (!pending)
        return;
    server->greeted = true;
    server->probe_due = 0;
    pending_append(pending);
    pending_begin(pending, &message, "initialize");
    buf_append_string(&message, "\"protocolVersion\":\"");
    buf_append_string(&message, mcp_handshakes[0]);
    buf_append_string(&message, "\",\"capabilities\":");
    message_capabilities(&message, server);
    buf_append_string(&message, ",\"clientInfo\":");
    message_client_info(&message);
    message_end(&message, server, ERA_HANDSHAKE, 0, false);
    pending_send(pending, &message);
}

static void probe(McpServer *server)
{
    Pending *pending = pending_new(server, PENDING_DISCOVER);
    Buf message;

    if (!pending)
        return;
    server->probe_due = client_now(server->client) + PROBE_MS;
    client_due(server->client, server->probe_due);
    pending_append(pending);
    pending_begin(pending, &message, "server/discover");
    message_end(&message, server, ERA_MODERN, 0, true);
    pending_send(pending, &message);
}

static void open_connection(McpServer *server)
{
    char text[TEXT_MOST];
    Buf why;

    server->spoke = server->greeted = server->probed_again = false;
    server->listen_due = 0;
    server->listen_failures = 0;
    server->probe_due = 0;
    buf_init(&why, &server->client->allocator, TEXT_MOST);
    if (server->url)
        server->http = http_new(server, &why);
    else
        server->link = link_new(server, &why);
    if (!server->http && !server->link) {
        snprintf(text, sizeof text, "could not be started: %.*s", (int)why.length,
                 (const char *)why.data);
        buf_release(&why);
        server_failed(server, "unavailable", text);
        return;
    }
    buf_release(&why);
    if (server->era == ERA_HANDSHAKE)
        greet(server);
    else
        probe(server);
}

void server_start(McpServer *server)
{
    McpClient *client = server->client;
    uint64_t now = client_now(client);

    server->state = SERVER_STARTING;
    server->oddity[0] = '\0';
    server->oddities = 0;
    server->start_due = now + server->start_ms;
    client_due(client, server->start_due);
    server->delayed = server->not_before > now;
    if (server->delayed)
        client_due(client, server->not_before);
    else
        open_connection(server);
}

/* ---- what it answered ---- */

static bool names_revision(tn_value list, const char *revision)
{
    tn_cursor cursor = {0};
    size_t length;

    while (tn_value_next(list, &cursor)) {
        const char *text = tn_value_text(cursor.value, &length);
        if (text && length == strlen(revision) && memcmp(text, revision, length) == 0)
            return true;
    }
    return false;
}

static const char *handshake_in(tn_value list)
{
    for (const char *const *revision = mcp_handshakes; *revision; revision++) {
        if (names_revision(list, *revision))
            return *revision;
    }
    return NULL;
}

static void drop_kind(McpServer *server, PendingKind kind)
{
    Pending *pending = pending_of_kind(server, kind);

    if (pending)
        pending_free(pending);
}

static void settle_era(McpServer *server, Era era, const char *revision, tn_value about)
{
    tn_value changes = tn_value_member(
        tn_value_member(tn_value_member(about, "capabilities"), "tools"), "listChanged");

    server->era = era;
    server->revision = revision;
    server->probe_due = 0;
    server->lists_changes = tn_value_bool(changes);
    buf_clear(&server->about);
    buf_append(&server->about, about.start, (size_t)(about.end - about.start));
}

/* Any answer but a list of revisions with the modern one means the other era; but a server that has
 * said it knows no other is not asked in vain. */
void server_discovered(McpServer *server, const tn_value *result, tn_value error)
{
    tn_value versions = result ? tn_value_member(*result, "supportedVersions")
                               : tn_value_member(tn_value_member(error, "data"), "supported");
    int64_t code = 0;

    if (server->state != SERVER_STARTING || server->era == ERA_HANDSHAKE)
        return;
    if (result && names_revision(versions, mcp_modern)) {
        drop_kind(server, PENDING_INITIALIZE);
        settle_era(server, ERA_MODERN, mcp_modern, *result);
        listing_begin(server);
        return;
    }
    (void)tn_value_int(tn_value_member(error, "code"), &code);
    if (code == -32022 && names_revision(versions, mcp_modern) && !server->probed_again) {
        server->probed_again = true;
        probe(server);
        return;
    }
    if ((result || code == -32022) && tn_value_count(versions) > 0 && !handshake_in(versions))
        server_failed(server, "protocol",
                      "speaks none of the revisions of the protocol that are "
                      "known here (2024-11-05 to 2026-07-28)");
    else if (!server->greeted)
        greet(server);
}

/* Over HTTP requests overtake each other: there the list is asked for when this has arrived. */
static void tell_initialized(McpServer *server)
{
    Buf message;

    buf_init(&message, &server->client->allocator, 4096);
    message_notification(&message, "notifications/initialized");
    message_end(&message, server, ERA_HANDSHAKE, 0, true);
    if (server->http) {
        http_greeted(server->http, (const char *)message.data, message.length);
        buf_release(&message);
    } else {
        server_send(server, &message);
        listing_begin(server);
    }
}

void server_initialized(McpServer *server)
{
    if (server->state == SERVER_STARTING && server->era == ERA_HANDSHAKE)
        listing_begin(server);
}

void server_greeted(McpServer *server, const tn_value *result, const char *complaint)
{
    char text[TEXT_MOST];
    size_t length = 0;

    if (server->state != SERVER_STARTING || server->era == ERA_MODERN)
        return;
    if (!result) {
        server_failed(server, "unavailable", complaint);
        return;
    }
    const char *said = tn_value_text(tn_value_member(*result, "protocolVersion"), &length);
    for (const char *const *revision = mcp_handshakes; said && *revision; revision++) {
        if (length != strlen(*revision) || memcmp(said, *revision, length) != 0)
            continue;
        drop_kind(server, PENDING_DISCOVER);
        settle_era(server, ERA_HANDSHAKE, *revision, *result);
        tell_initialized(server);
        return;
    }
    Buf clean;
    snprintf(text, sizeof text,
             "answered the greeting with protocol version %s%.40s%s, which is "
             "not known here (2024-11-05 to 2026-07-28)",
             said ? "\"" : "", said ? server_clean(server, &clean, said, length, 32) : "(none)",
             said ? "\"" : "");
    if (said)
        buf_release(&clean);
    server_failed(server, "protocol", text);
}

/* ---- ready, lost, failed ---- */

void server_renew(McpServer *server, Pending *pending, bool current)
{
    bool call = pending->kind == PENDING_CALL, list = pending->kind == PENDING_LIST;

    pending->exchange = NULL;
    if (call) {
        pending->id = 0;
        pending->delivered = false;
        if (++pending->renewed > RENEWALS_MOST) {
            call_fail(pending, "unavailable", true, "ends its sessions before they can be used");
            call = false;
        }
    } else {
        pending_free(pending);
    }
    if (current) {
        server->state = SERVER_STARTING;
        server->start_due = client_now(server->client) + server->start_ms;
        client_due(server->client, server->start_due);
        greet(server);
    } else if (server->state == SERVER_READY && call) {
        call_send(pending);
    } else if (server->state == SERVER_READY && list) {
        listing_begin(server);
    }
}

static void listen_for_changes(McpServer *server)
{
    Pending *pending;
    Buf message;

    if (server->era != ERA_MODERN || !server->lists_changes ||
        pending_of_kind(server, PENDING_LISTEN))
        return;
    pending = pending_new(server, PENDING_LISTEN);
    if (!pending)
        return;
    pending_append(pending);
    pending_begin(pending, &message, "subscriptions/listen");
    buf_append_string(&message, "\"notifications\":{\"toolsListChanged\":true}");
    message_end(&message, server, server->era, 0, false);
    pending_send(pending, &message);
}

/* The stream of changes may break off like any other; what changed meanwhile is not known. */
void server_unheard(McpServer *server)
{
    if (server->state != SERVER_READY || server->listen_failures >= LISTENS_MOST)
        return;
    server->listen_due =
        client_now(server->client) + ((uint64_t)LISTEN_AGAIN_MS << server->listen_failures++);
    client_due(server->client, server->listen_due);
}

static void listen_again(McpServer *server, uint64_t now)
{
    if (server->listen_due == 0)
        return;
    if (now >= server->listen_due) {
        server->listen_due = 0;
        server->stale = true;
        listen_for_changes(server);
    } else {
        client_due(server->client, server->listen_due);
    }
}

/* Some servers tell of a change whenever they are asked: it is not asked more often than so. */
void server_relist(McpServer *server)
{
    uint64_t now = client_now(server->client), soon = now + RELIST_MS;

    if (!server->client->host.listed || server->relist_due != 0)
        return;
    if (server->relisted_at + RELIST_AGAIN_MS > soon)
        soon = server->relisted_at + RELIST_AGAIN_MS;
    server->relist_due = soon;
    client_due(server->client, soon);
}

static void relist_again(McpServer *server, uint64_t now)
{
    if (server->relist_due == 0)
        return;
    if (now >= server->relist_due && !server->listing.open)
        listing_begin(server);
    else
        client_due(server->client,
                   now >= server->relist_due ? now + RELIST_MS : server->relist_due);
}

void server_ready(McpServer *server)
{
    if (server->state == SERVER_STARTING) {
        server->state = SERVER_READY;
        server->ready_at = client_now(server->client);
        listen_for_changes(server);
        calls_flush(server);
    }
}

/* Each failure in a row doubles the time until it is started again. */
static void back_off(McpServer *server, unsigned free_of_charge)
{
    uint64_t wait = 0;

    server->failures++;
    if (server->failures > free_of_charge) {
        unsigned steps = server->failures - free_of_charge - 1;
        wait = steps > 5 ? BACK_OFF_MOST_MS : (uint64_t)BACK_OFF_MS << steps;
    }
    server->not_before = client_now(server->client) + wait;
}

static void let_go(McpServer *server)
{
    if (server->link)
        link_end(server->link);
    if (server->http)
        http_end(server->http);
    server->link = NULL;
    server->http = NULL;
    server->delayed = false;
    server->probe_due = 0;
    server->relist_due = 0;
}

/* All requests end here; a call is retryable if not all of it had left us. */
static void fail_pending(McpServer *server, const char *code, const char *text)
{
    Pending *list = server->pending;

    server->pending = server->pending_last = NULL;
    for (Pending *next; list; list = next) {
        next = list->next;
        list->listed = false;
        if (list->kind == PENDING_CALL)
            call_fail(list, code, !list->delivered, "%s", text);
        else
            pending_free(list);
    }
    questions_drop(server, NULL);
    listing_release(&server->listing);
}

void server_failed(McpServer *server, const char *code, const char *text)
{
    char whole[TEXT_MOST];
    Buf behaviour;

    buf_init(&behaviour, &server->client->allocator, 1200);
    server_behaviour(server, &behaviour);
    snprintf(whole, sizeof whole, "%s%.*s", text, (int)behaviour.length,
             (const char *)behaviour.data);
    buf_release(&behaviour);
    let_go(server);
    server->state = SERVER_FAILED;
    server->era = ERA_UNKNOWN;
    back_off(server, 0);
    fail_pending(server, code, whole);
    server_answer(server, catalogue_of_error(server, whole));
}

/* A server of the other era may end itself for the first message it does not know: it is started
 * once more and greeted in the old way. */
static bool try_handshake(McpServer *server)
{
    if (server->state != SERVER_STARTING || server->era != ERA_UNKNOWN || server->spoke ||
        server->greeted || !pending_of_kind(server, PENDING_DISCOVER))
        return false;
    drop_kind(server, PENDING_DISCOVER);
    let_go(server);
    server->era = ERA_HANDSHAKE;
    open_connection(server);
    return true;
}

void server_lost(McpServer *server, const char *text)
{
    char whole[TEXT_MOST];
    Buf behaviour;

    if (server->state == SERVER_STARTING) {
        if (!try_handshake(server))
            server_failed(server, "unavailable", text);
        return;
    }
    buf_init(&behaviour, &server->client->allocator, 1200);
    server_behaviour(server, &behaviour);
    snprintf(whole, sizeof whole, "%s%.*s", text, (int)behaviour.length,
             (const char *)behaviour.data);
    buf_release(&behaviour);
    let_go(server);
    server->state = SERVER_IDLE;
    if (client_now(server->client) - server->ready_at > STEADY_MS)
        server->failures = 0;
    back_off(server, 1);
    server->stale = true;
    fail_pending(server, "unavailable", whole);
    server_attend(server);
}

void server_end(McpServer *server)
{
    let_go(server);
    server->state = SERVER_IDLE;
    fail_pending(server, "unavailable", "is being ended with its host");
    server_answer(server, catalogue_of_error(server, "is being ended with its host"));
}

/* ---- asked for, and time passing ---- */

void server_attend(McpServer *server)
{
    McpClient *client = server->client;

    pthread_mutex_lock(&client->lock);
    bool asked = server->asked > server->answered, wanted = server->wanted || asked;
    server->wanted = false;
    pthread_mutex_unlock(&client->lock);

    if (!wanted)
        return;
    if (server->state == SERVER_IDLE ||
        (server->state == SERVER_FAILED && client_now(client) >= server->not_before))
        server_start(server);
    else if (server->state == SERVER_FAILED || (server->state == SERVER_READY && !server->stale))
        server_answer(server, NULL);
    else if (server->state == SERVER_READY && asked && !server->listing.open)
        listing_begin(server);
}

static void out_of_time(McpServer *server)
{
    char text[256];
    const char *what = server->delayed                                ? "was not started again"
                       : server->era == ERA_UNKNOWN && !server->spoke ? "said nothing"
                       : server->era == ERA_UNKNOWN ? "did not answer the greeting"
                                                    : "did not list its tools";

    snprintf(text, sizeof text, "%s within %u.%u s", what, server->start_ms / 1000,
             server->start_ms % 1000 / 100);
    server_failed(server, "timeout", text);
}

void server_tick(McpServer *server, uint64_t now)
{
    if (server->state == SERVER_STARTING) {
        if (now >= server->start_due) {
            out_of_time(server);
        } else if (server->delayed && now >= server->not_before) {
            server->delayed = false;
            open_connection(server);
        } else if (server->probe_due != 0 && now >= server->probe_due) {
            greet(server);
        }
    }
    if (server->state == SERVER_STARTING) {
        client_due(server->client, server->start_due);
        client_due(server->client, server->probe_due);
        client_due(server->client, server->delayed ? server->not_before : 0);
    }
    if (server->state == SERVER_READY)
        calls_tick(server, now);
    if (server->state == SERVER_READY)
        listen_again(server, now);
    if (server->state == SERVER_READY)
        relist_again(server, now);
    if (server->http)
        http_tick(server->http, now);
}
