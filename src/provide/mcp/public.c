/* What other threads see of a server: everything here that touches it holds the client's lock. */
#include <unistd.h>

#include "inside.h"
#include "text.h"

enum { OPTIONS_MOST = 1024 * 1024, LINES_MOST = 64 * 1024 };

/* ---- making ---- */

static const char **copy_strings(Arena *arena, const char *const *strings)
{
    size_t count = 0;

    while (strings && strings[count])
        count++;
    const char **copy = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = arena_string(arena, strings[i]);
    return copy;
}

static const char *copy_string(Arena *arena, const char *string)
{
    return string ? arena_string(arena, string) : NULL;
}

static void copy_options(McpServer *server, const McpServerOptions *options)
{
    Arena *arena = &server->arena;

    server->name = copy_string(arena, options->name);
    server->command = copy_string(arena, options->command);
    server->folder = copy_string(arena, options->folder);
    server->url = copy_string(arena, options->url);
    server->arguments = copy_strings(arena, options->arguments);
    server->environment = copy_strings(arena, options->environment);
    server->headers = copy_strings(arena, options->headers);
    server->start_ms = options->start_ms ? options->start_ms : 30000;
    server->call_ms = options->call_ms ? options->call_ms : 60000;
    server->call_most_ms = options->call_most_ms ? options->call_most_ms : 600000;
}

tn_status mcp_server_add(McpClient *client, const McpServerOptions *options, McpServer **out_server)
{
    McpServer *server;

    if (!options->name || !options->command == !options->url)
        return TN_ERR_ARGUMENT;
    server = memory_new(&client->allocator, sizeof *server);
    if (!server)
        return TN_ERR_NOMEM;
    server->client = client;
    arena_init(&server->arena, &client->allocator, OPTIONS_MOST);
    buf_init(&server->lines, &client->allocator, LINES_MOST);
    buf_init(&server->about, &client->allocator, SIZE_MAX);
    copy_options(server, options);
    if (server->arena.failed) {
        server_release(server);
        return TN_ERR_NOMEM;
    }
    pthread_mutex_lock(&client->lock);
    server->next = client->servers;
    client->servers = server;
    pthread_mutex_unlock(&client->lock);
    *out_server = server;
    return TN_OK;
}

void server_release(McpServer *server)
{
    McpClient *client = server->client;

    if (server->catalogue)
        mcp_catalogue_free(&server->catalogue->shown);
    if (server->expected)
        mcp_catalogue_free(&server->expected->shown);
    buf_release(&server->lines);
    buf_release(&server->about);
    arena_release(&server->arena);
    memory_free(&client->allocator, server, sizeof *server);
}

const char *mcp_server_name(const McpServer *server)
{
    return server->name;
}

/* ---- beginning and the catalogue ---- */

void mcp_server_begin(McpServer *server)
{
    McpClient *client = server->client;

    if (client->owner != getpid())
        return;
    pthread_mutex_lock(&client->lock);
    if (client_run(client) == TN_OK) {
        server->wanted = true;
        client_wake(client);
    }
    pthread_mutex_unlock(&client->lock);
}

tn_status mcp_server_catalogue(McpServer *server, const McpCatalogue **out_catalogue)
{
    McpClient *client = server->client;
    Catalogue *catalogue = NULL;

    if (client->owner != getpid())
        return TN_ERR_STATE;
    pthread_mutex_lock(&client->lock);
    tn_status status = client_run(client);
    if (status == TN_OK) {
        uint64_t mine = ++server->asked;
        client_wake(client);
        while (server->answered < mine)
            pthread_cond_wait(&client->changed, &client->lock);
        catalogue = server->catalogue;
        if (catalogue)
            catalogue_ref(catalogue);
        status = catalogue ? TN_OK : TN_ERR_NOMEM;
    }
    pthread_mutex_unlock(&client->lock);
    if (status == TN_OK)
        *out_catalogue = &catalogue->shown;
    return status;
}

void server_answer(McpServer *server, Catalogue *catalogue)
{
    McpClient *client = server->client;
    Catalogue *old = NULL;

    pthread_mutex_lock(&client->lock);
    if (catalogue) {
        old = server->catalogue;
        server->catalogue = catalogue;
        server->as_expected = !server->expected || catalogue_same(catalogue, server->expected);
    }
    server->answered = server->asked;
    pthread_cond_broadcast(&client->changed);
    pthread_mutex_unlock(&client->lock);
    if (old)
        mcp_catalogue_free(&old->shown);
}

void mcp_server_expect(McpServer *server, const McpCatalogue *catalogue)
{
    McpClient *client = server->client;
    Catalogue *expected = (Catalogue *)(uintptr_t)catalogue; /* its first member */

    catalogue_ref(expected);
    pthread_mutex_lock(&client->lock);
    Catalogue *old = server->expected;
    server->expected = expected;
    server->as_expected = !server->catalogue || catalogue_same(server->catalogue, expected);
    pthread_mutex_unlock(&client->lock);
    if (old)
        mcp_catalogue_free(&old->shown);
}

bool mcp_server_as_expected(McpServer *server)
{
    pthread_mutex_lock(&server->client->lock);
    bool as_expected = !server->expected || server->as_expected;
    pthread_mutex_unlock(&server->client->lock);
    return as_expected;
}

/* ---- its log ---- */

/* The newest half is kept when the log is full. */
static void keep_line(Buf *lines, const char *text, size_t length)
{
    if (length > LINES_MOST / 4)
        length = LINES_MOST / 4;
    if (lines->length + length + 1 > LINES_MOST) {
        const char *half = memchr(lines->data + lines->length / 2, '\n', lines->length / 2);
        size_t from = half ? (size_t)(half + 1 - (const char *)lines->data) : lines->length;
        memmove(lines->data, lines->data + from, lines->length - from);
        buf_truncate(lines, lines->length - from);
    }
    buf_append(lines, text, length);
    buf_append_byte(lines, '\n');
}

void server_line(McpServer *server, const char *level, const char *text, size_t length)
{
    McpClient *client = server->client;
    Buf clean;

    server_clean(server, &clean, text, length, 8000);
    if (!clean.failed && clean.length > 1) {
        pthread_mutex_lock(&client->lock);
        keep_line(&server->lines, (const char *)clean.data, clean.length - 1);
        pthread_mutex_unlock(&client->lock);
        if (client->host.log)
            client->host.log(client->host.user, server, level, (const char *)clean.data);
    }
    buf_release(&clean);
}

tn_status mcp_server_lines(McpServer *server, char **out_text, size_t *out_length)
{
    McpClient *client = server->client;
    Buf text;

    text_begin(&text, &client->allocator, SIZE_MAX);
    pthread_mutex_lock(&client->lock);
    buf_append(&text, server->lines.data, server->lines.length);
    pthread_mutex_unlock(&client->lock);
    return text_finish(&text, out_text, out_length);
}
