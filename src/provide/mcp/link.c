/* A server as a process: its pipes on the loop, its end told with its status and its last words.
 *
 * A Link outlives its server's use of it: let go, it closes the input, waits, signals, waits, kills
 * the group, and is freed when the process has been waited for. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "inside.h"
#include "lines.h"
#include "order.h"

enum {
    GRACE_MS = 1000, /* between the steps of an end */
    REST_MS = 300,   /* for what is still in the pipes of a process that ended */
    QUEUE_MOST = 8 * 1024 * 1024,
    ODDITIES_MOST = 20000,
    WORDS_MOST = 2048
};

typedef enum Ending { NOT_ENDING, INPUT_CLOSED, TERMINATED, KILLED } Ending;

struct Link {
    Link *next; /* of the client */
    McpClient *client;
    McpServer *server; /* NULL: let go */
    Child child;
    uv_pipe_t in, out, err;
    uv_poll_t exit;
    uv_timer_t timer;
    unsigned handles; /* open */
    Ending ending;
    bool exited, out_ended, err_ended, closing;
    int status;
    Lines lines, err_lines;
    char words[WORDS_MOST]; /* the end of its standard error, ends in NUL */
    size_t words_length;
};

typedef struct Write {
    uv_write_t request;
    Link *link;
    int64_t id;
    size_t bytes;
    char text[];
} Write;

const char *link_last_words(const Link *link)
{
    return link->words;
}

/* ---- freeing ---- */

static void handle_closed(uv_handle_t *handle)
{
    Link *link = handle->data;
    McpClient *client = link->client;
    Link **at = &client->links;

    if (--link->handles > 0)
        return;
    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    lines_release(&link->lines);
    lines_release(&link->err_lines);
    memory_free(&client->allocator, link, sizeof *link);
    client_left(client);
}

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, handle_closed);
}

/* The process is gone and waited for, or never was. */
static void close_link(Link *link)
{
    link->closing = true;
    close_handle((uv_handle_t *)&link->in);
    close_handle((uv_handle_t *)&link->out);
    close_handle((uv_handle_t *)&link->err);
    close_handle((uv_handle_t *)&link->timer);
    close_handle((uv_handle_t *)&link->exit);
}

/* ---- ending ---- */

static void step(uv_timer_t *timer)
{
    Link *link = timer->data;

    if (link->exited)
        return;
    if (link->ending == INPUT_CLOSED) {
        link->ending = TERMINATED;
        close_handle((uv_handle_t *)&link->in);
        child_signal(&link->child, SIGTERM);
    } else {
        link->ending = KILLED;
        child_signal(&link->child, SIGKILL);
    }
    uv_timer_start(&link->timer, step, GRACE_MS, 0);
}

static void shut(uv_shutdown_t *request, int status)
{
    Link *link = request->data;

    (void)status;
    close_handle((uv_handle_t *)&link->in);
    memory_free(&link->client->allocator, request, sizeof *request);
}

/* What was written goes out first, if it is read. */
static void close_input(Link *link)
{
    uv_shutdown_t *request;

    if (uv_is_closing((uv_handle_t *)&link->in))
        return;
    if (uv_stream_get_write_queue_size((uv_stream_t *)&link->in) > 0) {
        request = memory_new(&link->client->allocator, sizeof *request);
        if (request) {
            request->data = link;
            if (uv_shutdown(request, (uv_stream_t *)&link->in, shut) == 0)
                return;
            memory_free(&link->client->allocator, request, sizeof *request);
        }
    }
    close_handle((uv_handle_t *)&link->in);
}

void link_end(Link *link)
{
    link->server = NULL;
    if (link->closing || link->ending != NOT_ENDING)
        return;
    link->ending = INPUT_CLOSED;
    if (link->exited) {
        close_link(link);
        return;
    }
    close_input(link);
    uv_timer_start(&link->timer, step, GRACE_MS, 0);
}

/* ---- lost ---- */

static void describe_end(const Link *link, char *text, size_t room)
{
    if (!link->exited)
        snprintf(text, room, "closed its standard output");
    else if (link->status != -1 && WIFSIGNALED(link->status))
        snprintf(text, room, "was ended by signal %d (%s)", WTERMSIG(link->status),
                 strsignal(WTERMSIG(link->status)));
    else if (link->status != -1)
        snprintf(text, room, "exited with status %d", WEXITSTATUS(link->status));
    else
        snprintf(text, room, "exited");
}

static void lose(Link *link)
{
    McpServer *server = link->server;
    char text[128];

    if (server) {
        describe_end(link, text, sizeof text);
        server_lost(server, text); /* which ends this link */
    } else if (link->exited && !link->closing) {
        close_link(link);
    }
}

static void rest_over(uv_timer_t *timer)
{
    lose(timer->data);
}

/* Its end or that of its output came: the other one mostly follows at once, and with it the reason
 * and the last answers. */
static void check_end(Link *link)
{
    if (link->closing || link->ending != NOT_ENDING) {
        if (link->exited && !link->closing)
            close_link(link);
        return;
    }
    if (link->exited && link->out_ended && link->err_ended)
        lose(link);
    else if (!uv_is_active((uv_handle_t *)&link->timer))
        uv_timer_start(&link->timer, rest_over, REST_MS, 0);
}

static void exited(uv_poll_t *poll, int status, int events)
{
    Link *link = poll->data;

    (void)status;
    (void)events;
    uv_poll_stop(poll);
    link->status = child_reap(&link->child);
    link->exited = true;
    check_end(link);
}

/* ---- reading ---- */

static void give_space(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    Link *link = handle->data;

    (void)suggested;
    *out = uv_buf_init(link->client->space, sizeof link->client->space);
}

static void lose_for(Link *link, const char *text)
{
    McpServer *server = link->server;

    if (server)
        server_lost(server, text);
}

static bool take_line(void *context, const char *text, size_t length)
{
    Link *link = context;

    while (length > 0 && strchr(" \t\r", text[length - 1]) && text[length - 1])
        length--;
    if (length > 0 && link->server)
        server_receive(link->server, NULL, text, length);
    if (link->server && link->server->oddities > ODDITIES_MOST)
        lose_for(link, "prints without end what is not of the protocol");
    return link->server != NULL;
}

static bool take_long_line(void *context, int64_t id, uint64_t length)
{
    Link *link = context;

    if (link->server)
        server_receive_long(link->server, NULL, id, length);
    return link->server != NULL;
}

static void read_out(uv_stream_t *stream, ssize_t count, const uv_buf_t *space)
{
    Link *link = stream->data;
    LineSink sink = {link, take_line, take_long_line};
    char text[128];

    if (count == 0)
        return;
    if (count < 0) {
        uv_read_stop(stream);
        link->out_ended = true;
        check_end(link);
        return;
    }
    if (!link->server)
        return; /* let go: only so that it does not wait for a reader */
    if (!lines_feed(&link->lines, space->base, (size_t)count, &sink) && link->server) {
        snprintf(text, sizeof text, "sent a line of more than %llu bytes",
                 (unsigned long long)link->lines.most);
        lose_for(link, text);
    }
}

static bool take_error_line(void *context, const char *text, size_t length)
{
    Link *link = context;

    if (link->server)
        server_line(link->server, "stderr", text, length);
    return true;
}

static bool pass_error_line(void *context, int64_t id, uint64_t length)
{
    (void)context;
    (void)id;
    (void)length;
    return true;
}

/* The last words: the end of what came, a line or two. */
static void keep_words(Link *link, const char *text, size_t length)
{
    size_t most = WORDS_MOST - 1;

    if (length > most) {
        text += length - most;
        length = most;
    }
    if (link->words_length + length > most) {
        size_t keep = most - length;
        memmove(link->words, link->words + link->words_length - keep, keep);
        link->words_length = keep;
    }
    memcpy(link->words + link->words_length, text, length);
    link->words_length += length;
    link->words[link->words_length] = '\0';
}

static void read_err(uv_stream_t *stream, ssize_t count, const uv_buf_t *space)
{
    Link *link = stream->data;
    LineSink sink = {link, take_error_line, pass_error_line};

    if (count == 0)
        return;
    if (count < 0) {
        uv_read_stop(stream);
        link->err_ended = true;
        check_end(link);
        return;
    }
    keep_words(link, space->base, (size_t)count);
    (void)lines_feed(&link->err_lines, space->base, (size_t)count, &sink);
}

/* ---- writing ---- */

static void written(uv_write_t *request, int status)
{
    Write *write = request->data;
    Link *link = write->link;
    Pending *pending;

    if (status == 0 && link->server) {
        pending = pending_find(link->server, write->id);
        if (pending)
            pending->delivered = true;
    }
    memory_free(&link->client->allocator, write, write->bytes);
}

/* What cannot be written at once waits in a queue, which has an end. */
bool link_send(Link *link, const char *text, size_t length, int64_t id)
{
    uv_stream_t *stream = (uv_stream_t *)&link->in;
    uv_buf_t part = uv_buf_init((char *)(uintptr_t)text, (unsigned)length);
    size_t queued = uv_stream_get_write_queue_size(stream);
    Pending *pending;
    int done = 0;

    if (length > UINT32_MAX || queued + length > QUEUE_MOST + link->client->message_bytes * 2 ||
        (queued > QUEUE_MOST))
        return false;
    if (queued == 0)
        done = uv_try_write(stream, &part, 1);
    if (done == (int)length) {
        pending = pending_find(link->server, id);
        if (pending)
            pending->delivered = true;
        return true;
    }
    size_t rest = length - (size_t)(done > 0 ? done : 0);
    Write *write = memory_new(&link->client->allocator, sizeof *write + rest);
    if (!write)
        return false;
    write->request.data = write;
    write->link = link;
    write->id = id;
    write->bytes = sizeof *write + rest;
    memcpy(write->text, text + length - rest, rest);
    part = uv_buf_init(write->text, (unsigned)rest);
    if (uv_write(&write->request, stream, &part, 1, written) != 0) {
        memory_free(&link->client->allocator, write, write->bytes);
        return false;
    }
    return true;
}

/* ---- beginning ---- */

static void describe_fault(McpServer *server, ChildFault fault, int error, Buf *out_why)
{
    const char *reason = strerror(error);

    if (fault == CHILD_NO_FOLDER) {
        buf_append_string(out_why, "its folder ");
        buf_append_string(out_why, server->folder);
        buf_append_string(out_why, ": ");
    } else if (fault == CHILD_NO_PROGRAM && error == ENOENT) {
        buf_append_string(out_why, "there is no program ");
        buf_append_string(out_why, server->command);
        reason = strchr(server->command, '/') ? "" : " in the PATH it is given";
    } else if (fault == CHILD_NO_PROGRAM) {
        buf_append_string(out_why, server->command);
        buf_append_string(out_why, ": ");
    }
    buf_append_string(out_why, reason);
}

/* On the loop: from here on the pipes and the pidfd are the handles' to close. */
static void watch(Link *link)
{
    uv_loop_t *loop = &link->client->loop;

    link->in.data = link->out.data = link->err.data = link->exit.data = link->timer.data = link;
    (void)uv_pipe_init(loop, &link->in, 0);
    (void)uv_pipe_init(loop, &link->out, 0);
    (void)uv_pipe_init(loop, &link->err, 0);
    (void)uv_timer_init(loop, &link->timer);
    (void)uv_poll_init(loop, &link->exit, link->child.handle);
    link->handles = 5;
    (void)uv_pipe_open(&link->in, link->child.in);
    (void)uv_pipe_open(&link->out, link->child.out);
    (void)uv_pipe_open(&link->err, link->child.err);
    (void)uv_poll_start(&link->exit, UV_READABLE, exited);
    (void)uv_read_start((uv_stream_t *)&link->out, give_space, read_out);
    (void)uv_read_start((uv_stream_t *)&link->err, give_space, read_err);
}

Link *link_new(McpServer *server, Buf *out_why)
{
    McpClient *client = server->client;
    Link *link = memory_new(&client->allocator, sizeof *link);
    Arena arena;
    int error = ENOMEM;
    ChildFault fault = CHILD_NO_PROCESS;
    ChildOrder order;

    arena_init(&arena, &client->allocator, 4 * 1024 * 1024);
    if (link && server_order(server, &arena, &order))
        fault = child_begin(&order, &link->child, &error);
    arena_release(&arena);
    uv_update_time(&client->loop);
    if (fault != CHILD_BEGUN) {
        describe_fault(server, fault, error, out_why);
        memory_free(&client->allocator, link, sizeof *link);
        return NULL;
    }
    link->client = client;
    link->server = server;
    lines_init(&link->lines, &client->allocator, client->message_bytes);
    lines_init(&link->err_lines, &client->allocator, 8192);
    link->err_lines.most = UINT64_MAX;
    watch(link);
    link->next = client->links;
    client->links = link;
    return link;
}
