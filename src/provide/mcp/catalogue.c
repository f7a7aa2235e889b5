/* tools/list, page by page, and the catalogue made of it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cbor.h"
#include "inside.h"

enum {
    PAGES_MOST = 1000,
    TOOLS_BYTES_MOST = 64 * 1024 * 1024,
    TEXTS_BYTES_MOST = 4 * 1024 * 1024, /* names; cursors */
    NOTES_BYTES_MOST = 16 * 1024,
    NAME_MOST = 500
};

/* ---- the walk ---- */

void listing_release(Listing *listing)
{
    if (!listing->open)
        return;
    listing->open = false;
    buf_release(&listing->tools);
    buf_release(&listing->names);
    buf_release(&listing->cursors);
    buf_release(&listing->notes);
}

/* Notes are few; when they are too many the first ones say enough. */
__attribute__((format(printf, 2, 3))) static void note(McpServer *server, const char *format, ...)
{
    Buf *notes = &server->listing.notes;
    size_t before = notes->length;
    va_list arguments;
    char text[1024];
    Buf clean;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)server_clean(server, &clean, text, strlen(text), 400);
    buf_append(notes, clean.data, clean.length);
    buf_release(&clean);
    if (notes->over_limit) {
        buf_truncate(notes, before);
        notes->failed = notes->over_limit = false;
    }
}

static void ask_page(McpServer *server, const char *cursor, size_t length)
{
    Pending *pending = pending_new(server, PENDING_LIST);
    Buf message;

    if (!pending) {
        listing_page(server, NULL, "cannot be listed: there is no memory", false);
        return;
    }
    pending->total_due = client_now(server->client) + server->start_ms;
    client_due(server->client, pending->total_due);
    pending_append(pending);
    pending_begin(pending, &message, "tools/list");
    if (cursor) {
        buf_append_string(&message, "\"cursor\":");
        message_json_string(&message, cursor, length);
    }
    message_end(&message, server, server->era, 0, !cursor);
    pending_send(pending, &message);
}

void listing_begin(McpServer *server)
{
    const tn_allocator *allocator = &server->client->allocator;

    listing_release(&server->listing);
    server->listing = (Listing){.open = true, .ttl_ms = NAN};
    server->stale = false;
    server->relist_due = 0;
    server->relisted_at = client_now(server->client);
    buf_init(&server->listing.tools, allocator, TOOLS_BYTES_MOST);
    buf_init(&server->listing.names, allocator, TEXTS_BYTES_MOST);
    buf_init(&server->listing.cursors, allocator, TEXTS_BYTES_MOST);
    buf_init(&server->listing.notes, allocator, NOTES_BYTES_MOST);
    ask_page(server, NULL, 0);
}

/* Is this among the texts, each with a length before it? */
static bool among(const Buf *texts, const char *text, size_t length)
{
    const uint8_t *at = texts->data, *end = at ? at + texts->length : NULL;

    for (uint32_t one; at < end; at += sizeof one + one) {
        memcpy(&one, at, sizeof one);
        if (one == length && memcmp(at + sizeof one, text, length) == 0)
            return true;
    }
    return false;
}

static void remember(Buf *texts, const char *text, size_t length)
{
    uint32_t one = (uint32_t)length;

    buf_append(texts, &one, sizeof one);
    buf_append(texts, text, length);
}

static bool may_mirror(Listing *listing, tn_value tool)
{
    bool good;

    if (headers_wanted(tool, &good))
        listing->headers = true;
    return good;
}

static void take_tool(McpServer *server, tn_value tool)
{
    Listing *listing = &server->listing;
    size_t length;
    const char *name = tn_value_text(tn_value_member(tool, "name"), &length);

    if (!name || length == 0 || length > NAME_MOST) {
        note(server, "lists something that is no tool with a name");
    } else if (among(&listing->names, name, length)) {
        note(server, "lists the tool %.*s twice; the first one counts", (int)length, name);
    } else if (server->http && server->era == ERA_MODERN && !may_mirror(listing, tool)) {
        note(server, "mirrors arguments of %.*s in headers in a way that is not allowed: left out",
             (int)length, name);
    } else {
        CborReader in = {tool.start, tool.end};
        if (!cbor_skip(&in, CBOR_DEPTH_MAX))
            return;
        remember(&listing->names, name, length);
        buf_append(&listing->tools, tool.start, (size_t)(in.at - tool.start));
        listing->count++;
    }
}

static void finish(McpServer *server);

/* Servers end the walk without a cursor or with null. The empty cursor is one like all others, and
 * one that was met before is no way on. */
static void go_on(McpServer *server, tn_value cursor)
{
    Listing *listing = &server->listing;
    size_t length;
    const char *text = tn_value_text(cursor, &length);
    tn_type type = tn_value_type(cursor);

    if (type == TN_TYPE_NONE || type == TN_TYPE_NULL) {
        finish(server);
    } else if (type != TN_TYPE_TEXT) {
        note(server, "gave a cursor that is no text: the list may be longer");
        finish(server);
    } else if (among(&listing->cursors, text, length)) {
        if (length > 0)
            note(server, "gave the cursor \"%.*s\" twice: the list may be longer",
                 length > 60 ? 60 : (int)length, text);
        finish(server);
    } else if (listing->pages >= PAGES_MOST || listing->count >= server->client->listed_tools ||
               listing->tools.failed || listing->cursors.failed) {
        note(server, "lists more than is read: %u tools on %u pages are known", listing->count,
             listing->pages);
        finish(server);
    } else {
        remember(&listing->cursors, text, length);
        ask_page(server, text, length);
    }
}

static void take_page(McpServer *server, tn_value result)
{
    tn_value tools = tn_value_member(result, "tools");
    tn_cursor cursor = {0};
    Listing *listing = &server->listing;

    listing->pages++;
    listing->ttl_ms = fmin(listing->ttl_ms, tn_value_number(tn_value_member(result, "ttlMs")));
    if (tn_value_type(tools) != TN_TYPE_ARRAY)
        note(server, "answered tools/list without an array of tools");
    while (listing->count < server->client->listed_tools && tn_value_next(tools, &cursor))
        take_tool(server, cursor.value);
    if (tn_value_next(tools, &cursor))
        note(server, "lists more than %u tools; the rest is not read", listing->count);
    go_on(server, tn_value_member(result, "nextCursor"));
}

/* A server without tools may not know the request at all; one that fails on a later page has still
 * given the earlier ones. */
void listing_page(McpServer *server, const tn_value *result, const char *complaint, bool unknown)
{
    if (!server->listing.open)
        return;
    if (result) {
        take_page(server, *result);
    } else if (server->listing.pages > 0 || unknown) {
        note(server, "%s", complaint);
        finish(server);
    } else if (server->state == SERVER_STARTING) {
        server_failed(server, "protocol", complaint);
    } else {
        listing_release(&server->listing);
        server->stale = true;
        server_answer(server, catalogue_of_error(server, complaint));
    }
}

/* ---- the catalogue ---- */

Catalogue *catalogue_new(const tn_allocator *allocator)
{
    Catalogue *catalogue = memory_new(allocator, sizeof *catalogue);

    if (!catalogue)
        return NULL;
    catalogue->allocator = *allocator;
    catalogue->references = 1;
    arena_init(&catalogue->arena, &catalogue->allocator, 8 * 1024 * 1024);
    buf_init(&catalogue->bytes, &catalogue->allocator, SIZE_MAX);
    catalogue->shown = (McpCatalogue){
        .server_name = "", .server_version = "", .instructions = "", .revision = "", .ttl_ms = NAN};
    return catalogue;
}

void mcp_catalogue_free(const McpCatalogue *shown)
{
    Catalogue *catalogue = (Catalogue *)(uintptr_t)shown; /* its first member */

    if (!catalogue || __atomic_sub_fetch(&catalogue->references, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    arena_release(&catalogue->arena);
    buf_release(&catalogue->bytes);
    tn_allocator allocator = catalogue->allocator;
    memory_free(&allocator, catalogue, sizeof *catalogue);
}

void catalogue_ref(Catalogue *catalogue)
{
    __atomic_add_fetch(&catalogue->references, 1, __ATOMIC_RELAXED);
}

Catalogue *catalogue_of_error(const McpServer *server, const char *text)
{
    Catalogue *catalogue = catalogue_new(&server->client->allocator);

    if (!catalogue)
        return NULL;
    catalogue->shown.error =
        arena_printf(&catalogue->arena, "MCP server \"%s\" %s", server->name, text);
    if (!catalogue->shown.error)
        catalogue->shown.error = "the MCP server cannot be used, and there is no memory to say why";
    return catalogue;
}

static const char *text_of(Catalogue *catalogue, tn_value value)
{
    size_t length;
    const char *text = tn_value_text(value, &length);
    const char *copy = text ? arena_text(&catalogue->arena, text, length) : NULL;

    return copy ? copy : "";
}

/* Who it is: in the result itself, or since 2026-07-28 in its `_meta`. */
void catalogue_show_about(Catalogue *catalogue, tn_value about)
{
    McpCatalogue *shown = &catalogue->shown;
    tn_value who =
        tn_value_member(tn_value_member(about, "_meta"), "io.modelcontextprotocol/serverInfo");

    if (tn_value_type(who) != TN_TYPE_OBJECT)
        who = tn_value_member(about, "serverInfo");
    shown->about = about;
    shown->server_name = text_of(catalogue, tn_value_member(who, "name"));
    shown->server_version = text_of(catalogue, tn_value_member(who, "version"));
    shown->instructions = text_of(catalogue, tn_value_member(about, "instructions"));
}

static void show_notes(Catalogue *catalogue, const Buf *notes)
{
    McpCatalogue *shown = &catalogue->shown;
    const char *at = (const char *)notes->data, *end = at ? at + notes->length : NULL;
    const char **list;

    for (size_t i = 0; i < notes->length; i++)
        shown->note_count += at[i] == '\0';
    list = ARENA_ARRAY(&catalogue->arena, const char *, shown->note_count + 1);
    shown->notes = list;
    for (size_t i = 0; list && at < end; at += strlen(at) + 1)
        list[i++] = arena_string(&catalogue->arena, at);
    if (!list)
        shown->note_count = 0;
}

/* The document: about, then the array of tools. */
static Catalogue *catalogue_of_listing(const McpServer *server)
{
    const Listing *listing = &server->listing;
    Catalogue *catalogue = catalogue_new(&server->client->allocator);
    Buf *bytes = catalogue ? &catalogue->bytes : NULL;

    if (!catalogue)
        return NULL;
    buf_append(bytes, server->about.data, server->about.length);
    size_t tools = bytes->length;
    cbor_put_array(bytes, listing->count);
    buf_append(bytes, listing->tools.data, listing->tools.length);
    if (bytes->failed || listing->tools.failed) {
        mcp_catalogue_free(&catalogue->shown);
        return NULL;
    }
    const uint8_t *data = bytes->data, *end = data + bytes->length;
    catalogue_show_about(catalogue, (tn_value){data, data, end});
    catalogue->shown.tools = (tn_value){data + tools, data + tools, end};
    catalogue->shown.revision = server->revision;
    catalogue->shown.ttl_ms = listing->ttl_ms;
    catalogue->headers = listing->headers;
    show_notes(catalogue, &listing->notes);
    return catalogue;
}

static void finish(McpServer *server)
{
    const McpHost *host = &server->client->host;
    Catalogue *catalogue = catalogue_of_listing(server);

    if (!catalogue)
        catalogue = catalogue_of_error(server, "lists more than there is memory for");
    listing_release(&server->listing);
    server_answer(server, catalogue);
    if (host->listed && catalogue && !catalogue->shown.error)
        host->listed(host->user, server, &catalogue->shown);
    server_ready(server);
}

tn_value catalogue_tool(const Catalogue *catalogue, const char *name)
{
    tn_cursor cursor = {0};
    size_t length, wanted = strlen(name);

    while (catalogue && tn_value_next(catalogue->shown.tools, &cursor)) {
        const char *text = tn_value_text(tn_value_member(cursor.value, "name"), &length);
        if (text && length == wanted && memcmp(text, name, length) == 0)
            return cursor.value;
    }
    return (tn_value){0};
}
