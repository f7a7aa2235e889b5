/* The client: one thread with one loop, and what other threads hand to it. */
#include <stdlib.h>
#include <unistd.h>

#include "curl_loop.h"
#include "inside.h"

uint64_t client_now(const McpClient *client)
{
    return uv_now(&client->loop);
}

/* Servers are only added, at the head. */
static McpServer *first_server(McpClient *client)
{
    pthread_mutex_lock(&client->lock);
    McpServer *first = client->servers;
    pthread_mutex_unlock(&client->lock);
    return first;
}

/* ---- the clock: one timer, at the nearest of all deadlines; that some have gone is no matter ----
 */

static void tick(uv_timer_t *timer)
{
    McpClient *client = timer->data;

    client->timer_due = 0;
    for (McpServer *server = first_server(client); server; server = server->next)
        server_tick(server, client_now(client));
}

void client_due(McpClient *client, uint64_t due)
{
    uint64_t now = client_now(client);

    if (due == 0 || client->ending || (client->timer_due != 0 && client->timer_due <= due))
        return;
    client->timer_due = due;
    uv_timer_start(&client->timer, tick, due > now ? due - now : 0, 0);
}

/* ---- what others hand in ---- */

void client_wake(McpClient *client)
{
    uv_async_send(&client->wake);
}

static void end_all(McpClient *client)
{
    if (client->ending)
        return;
    for (McpServer *server = first_server(client); server; server = server->next)
        server_end(server);
    client->ending = true;
    client_left(client);
}

static void attend(uv_async_t *wake)
{
    McpClient *client = wake->data;

    pthread_mutex_lock(&client->lock);
    Pending *incoming = client->incoming;
    McpQuestion *answered = client->answered;
    bool sweep = client->sweep, leaving = client->leaving;
    McpServer *servers = client->servers;
    client->incoming = client->incoming_last = NULL;
    client->answered = NULL;
    client->sweep = false;
    pthread_mutex_unlock(&client->lock);

    question_answered(answered);
    for (McpServer *server = servers; server; server = server->next)
        server_attend(server);
    for (Pending *next; incoming; incoming = next) {
        next = incoming->next;
        call_arrived(incoming);
    }
    for (McpServer *server = servers; sweep && server; server = server->next)
        calls_swept(server);
    if (leaving)
        end_all(client);
}

/* ---- the thread ---- */

static void *run(void *context)
{
    McpClient *client = context;

    uv_run(&client->loop, UV_RUN_DEFAULT);
    return NULL;
}

void client_left(McpClient *client)
{
    if (!client->ending || client->links || !http_loop_idle(client) ||
        uv_is_closing((uv_handle_t *)&client->wake))
        return;
    http_loop_close(client);
    uv_close((uv_handle_t *)&client->timer, NULL);
    uv_close((uv_handle_t *)&client->wake, NULL);
}

static bool open_loop(McpClient *client)
{
    if (uv_loop_init(&client->loop) != 0)
        return false;
    client->wake.data = client->timer.data = client;
    if (uv_async_init(&client->loop, &client->wake, attend) != 0) {
        (void)uv_loop_close(&client->loop);
        return false;
    }
    (void)uv_timer_init(&client->loop, &client->timer);
    return true;
}

static void close_loop(McpClient *client)
{
    (void)uv_run(&client->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&client->loop);
}

tn_status client_run(McpClient *client)
{
    if (client->owner != getpid())
        return TN_ERR_STATE;
    if (client->running)
        return TN_OK;
    if (!open_loop(client))
        return TN_ERR_SYSTEM;
    client->running = loop_thread_start(&client->thread, run, client);
    if (client->running)
        return TN_OK;
    uv_close((uv_handle_t *)&client->timer, NULL);
    uv_close((uv_handle_t *)&client->wake, NULL);
    close_loop(client);
    return TN_ERR_SYSTEM;
}

/* ---- making and ending ---- */

static const char *const safe_names[] = {"PATH", "HOME",   "USER",     "LOGNAME", "SHELL", "TERM",
                                         "LANG", "LC_ALL", "LC_CTYPE", "TZ",      "TMPDIR"};

static bool is_safe(const char *variable)
{
    for (size_t i = 0; i < COUNT_OF(safe_names); i++) {
        size_t length = strlen(safe_names[i]);
        if (strncmp(variable, safe_names[i], length) == 0 && variable[length] == '=')
            return true;
    }
    return false;
}

static void copy_environment(McpClient *client, const char *const *environment)
{
    size_t count = 0;

    client->environment = ARENA_ARRAY(&client->arena, const char *, COUNT_OF(safe_names) + 1);
    for (; client->environment && environment && *environment && count < COUNT_OF(safe_names);
         environment++) {
        if (is_safe(*environment))
            client->environment[count++] = arena_string(&client->arena, *environment);
    }
}

tn_status mcp_client_new(const McpClientOptions *options, McpClient **out_client)
{
    static const McpClientOptions nothing = {0};
    const McpClientOptions *told = options ? options : &nothing;
    const tn_allocator *allocator = told->allocator ? told->allocator : memory_default();
    McpClient *client = memory_new(allocator, sizeof *client);

    if (!client)
        return TN_ERR_NOMEM;
    client->allocator = *allocator;
    client->host = told->host;
    client->message_bytes = told->message_bytes ? told->message_bytes : 16 * 1024 * 1024;
    client->listed_tools = told->listed_tools ? told->listed_tools : 10000;
    client->owner = getpid();
    arena_init(&client->arena, &client->allocator, 1024 * 1024);
    copy_environment(client, told->environment);
    if (client->arena.failed) {
        arena_release(&client->arena);
        memory_free(allocator, client, sizeof *client);
        return TN_ERR_NOMEM;
    }
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->changed, NULL);
    *out_client = client;
    return TN_OK;
}

static void stop(McpClient *client)
{
    pthread_mutex_lock(&client->lock);
    bool running = client->running;
    client->leaving = true;
    pthread_mutex_unlock(&client->lock);
    if (!running)
        return;
    client_wake(client);
    pthread_join(client->thread, NULL);
    (void)uv_loop_close(&client->loop);
    question_answered(client->answered); /* nobody waits for them any more */
}

void mcp_client_free(McpClient *client)
{
    McpServer *next;

    /* in a child that the host forked there is no such thread, and its lock may be held for ever */
    if (!client || client->owner != getpid())
        return;
    stop(client);
    for (McpServer *server = client->servers; server; server = next) {
        next = server->next;
        server_release(server);
    }
    pthread_cond_destroy(&client->changed);
    pthread_mutex_destroy(&client->lock);
    arena_release(&client->arena);
    tn_allocator allocator = client->allocator;
    memory_free(&allocator, client, sizeof *client);
}
