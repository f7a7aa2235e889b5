/* One request over HTTP as a sink: text is put by any thread, and taken out by the connection's. */
#include "http.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* More than this is not kept for a client that does not read. */
enum { WAITING_MOST = 64 << 20 };

/* ---- putting, from any thread ---- */

static unsigned status_of(const Exchange *exchange, const Said *said)
{
    bool modern = exchange->sink.modern;

    switch (said->code) {
    case 0:
        return MHD_HTTP_OK;
    case WRONG_METHOD:
        return modern ? MHD_HTTP_NOT_FOUND : MHD_HTTP_OK;
    case WRONG_CAPABILITY:
        return MHD_HTTP_BAD_REQUEST;
    default:
        return said->refused ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_OK;
    }
}

static void wake(const Exchange *exchange)
{
    uint64_t one = 1;

    while (write(exchange->wake, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

/* An event of a stream, or a comment without text. */
static void push_locked(Exchange *exchange, const char *text, size_t length)
{
    static const char before[] = "event: message\ndata: ", after[] = "\n\n", comment[] = ":\n\n";
    Piece *piece;

    if (exchange->waiting + length > WAITING_MOST)
        return;
    piece = malloc(sizeof *piece + length + sizeof before + sizeof after);
    if (!piece)
        return;
    *piece = (Piece){0};
    if (text) {
        memcpy(piece->text, before, sizeof before - 1);
        memcpy(piece->text + sizeof before - 1, text, length);
        memcpy(piece->text + sizeof before - 1 + length, after, sizeof after - 1);
        piece->length = length + sizeof before + sizeof after - 2;
    } else {
        memcpy(piece->text, comment, sizeof comment - 1);
        piece->length = sizeof comment - 1;
    }
    exchange->waiting += piece->length;
    if (exchange->last)
        exchange->last->next = piece;
    else
        exchange->first = piece;
    exchange->last = piece;
}

static void keep_answer_locked(Exchange *exchange, const char *text, size_t length)
{
    exchange->answer = malloc(length + 1);
    if (!exchange->answer) {
        exchange->status = MHD_HTTP_INTERNAL_SERVER_ERROR;
        return;
    }
    memcpy(exchange->answer, text, length);
    exchange->answer_length = length;
}

/* News before the answer make it a stream, if the client takes one; they are dropped if not. */
static void put(Sink *sink, const char *text, size_t length, const Said *said)
{
    Exchange *exchange = (Exchange *)sink;

    pthread_mutex_lock(&exchange->lock);
    if (exchange->answered || exchange->gone) {
        pthread_mutex_unlock(&exchange->lock);
        return;
    }
    if (said->answer) {
        exchange->answered = true;
        exchange->status = status_of(exchange, said);
    }
    if (said->answer && !exchange->streams && !exchange->first)
        keep_answer_locked(exchange, text, length);
    else if (exchange->takes_events)
        push_locked(exchange, text, length);
    wake(exchange);
    pthread_mutex_unlock(&exchange->lock);
}

static void ref(Sink *sink)
{
    ((Exchange *)sink)->refs++;
}

static void unref(Sink *sink)
{
    exchange_unref((Exchange *)sink);
}

/* ---- its life ---- */

Exchange *exchange_new(Http *http, struct MHD_Connection *connection)
{
    Exchange *exchange = calloc(1, sizeof *exchange);

    if (!exchange)
        return NULL;
    exchange->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (exchange->wake < 0) {
        free(exchange);
        return NULL;
    }
    exchange->sink = (Sink){.peer = &exchange->own,
                            .modern = header_modern(http, connection),
                            .put = put,
                            .admit = headers_admit,
                            .ref = ref,
                            .unref = unref};
    exchange->http = http;
    exchange->connection = connection;
    exchange->refs = 1;
    exchange->own.log_level = LOG_OFF;
    pthread_mutex_init(&exchange->lock, NULL);
    return exchange;
}

void exchange_unref(Exchange *exchange)
{
    if (--exchange->refs > 0)
        return;
    while (exchange->first) {
        Piece *next = exchange->first->next;
        free(exchange->first);
        exchange->first = next;
    }
    if (exchange->session)
        session_unref(exchange->http, exchange->session);
    close(exchange->wake);
    pthread_mutex_destroy(&exchange->lock);
    free(exchange->answer);
    free(exchange->body);
    free(exchange);
}

void exchange_leave(Exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    bool waited = !exchange->answered && !exchange->gone;
    exchange->gone = true;
    pthread_mutex_unlock(&exchange->lock);
    if (exchange->is_stream)
        exchange_stand(exchange, NULL);
    /* in the older era a client that loses its connection has not said that it wants no more */
    if (waited && exchange->sink.modern) {
        jobs_leave(exchange->http->door, &exchange->sink);
        watches_leave(exchange->http->door, &exchange->sink);
    }
}

void exchange_stand(Exchange *exchange, Sink *sink)
{
    Door *door = exchange->http->door;
    Peer *peer = exchange->sink.peer;

    pthread_mutex_lock(&door->lock);
    if (sink || peer->stream == &exchange->sink) {
        if (peer->stream && peer->stream != sink)
            exchange_end((Exchange *)peer->stream);
        peer->stream = sink;
    }
    pthread_mutex_unlock(&door->lock);
}

void exchange_end(Exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    exchange->answered = true;
    wake(exchange);
    pthread_mutex_unlock(&exchange->lock);
}

/* ---- taking, by the connection's thread ---- */

static bool has_news(Exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    bool news = exchange->answered || exchange->first;
    pthread_mutex_unlock(&exchange->lock);
    return news;
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int connection_fd(const Exchange *exchange)
{
    const union MHD_ConnectionInfo *info = exchange->http->mhd->MHD_get_connection_info(
        exchange->connection, MHD_CONNECTION_INFO_CONNECTION_FD);

    return info ? info->connect_fd : -1;
}

bool exchange_wait(Exchange *exchange, int most_ms)
{
    int fd = connection_fd(exchange);
    int64_t end = most_ms < 0 ? INT64_MAX : now_ms() + most_ms;

    while (!has_news(exchange)) {
        int64_t left = end - now_ms();
        struct pollfd ends[2] = {{.fd = fd, .events = POLLRDHUP},
                                 {.fd = exchange->wake, .events = POLLIN}};
        uint64_t count;
        if (exchange->http->door->closing)
            return false;
        if (left <= 0)
            return true;
        int ready = poll(ends, 2, left < LOOK_MS ? (int)left : LOOK_MS);
        if (ready > 0 && ends[1].revents)
            (void)!read(exchange->wake, &count, sizeof count);
        if (ready > 0 && ends[0].revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) {
            exchange_leave(exchange);
            return false;
        }
    }
    return true;
}

/* Copy what waits; 0: nothing does. */
static size_t take(Exchange *exchange, char *buffer, size_t room)
{
    size_t copied = 0;

    pthread_mutex_lock(&exchange->lock);
    while (exchange->first && copied < room) {
        Piece *piece = exchange->first;
        size_t length = piece->length - piece->taken;
        if (length > room - copied)
            length = room - copied;
        memcpy(buffer + copied, piece->text + piece->taken, length);
        piece->taken += length;
        copied += length;
        exchange->waiting -= length;
        if (piece->taken < piece->length)
            break;
        exchange->first = piece->next;
        if (!piece->next)
            exchange->last = NULL;
        free(piece);
    }
    pthread_mutex_unlock(&exchange->lock);
    return copied;
}

static void keep_alive(Exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    if (!exchange->first && !exchange->answered)
        push_locked(exchange, NULL, 0);
    pthread_mutex_unlock(&exchange->lock);
}

static ssize_t read_stream(void *argument, uint64_t position, char *buffer, size_t room)
{
    Exchange *exchange = argument;
    size_t copied;

    (void)position;
    guest_state(exchange->http, exchange->connection, GUEST_WAITING);
    while ((copied = take(exchange, buffer, room)) == 0) {
        pthread_mutex_lock(&exchange->lock);
        bool over = exchange->answered && !exchange->first;
        pthread_mutex_unlock(&exchange->lock);
        if (over)
            return MHD_CONTENT_READER_END_OF_STREAM;
        if (!exchange_wait(exchange, KEEP_ALIVE_MS))
            return MHD_CONTENT_READER_END_WITH_ERROR;
        if (!has_news(exchange))
            keep_alive(exchange);
    }
    guest_state(exchange->http, exchange->connection, GUEST_WRITING);
    return (ssize_t)copied;
}

static void release_stream(void *argument)
{
    exchange_unref(argument);
}

struct MHD_Response *exchange_stream(Exchange *exchange)
{
    enum { BLOCK = 16 << 10 };
    struct MHD_Response *response;

    pthread_mutex_lock(&exchange->lock);
    exchange->streams = true;
    if (exchange->answer)
        push_locked(exchange, exchange->answer, exchange->answer_length);
    else if (!exchange->first)
        push_locked(exchange, NULL, 0); /* that there is a stream is seen at once */
    pthread_mutex_unlock(&exchange->lock);
    exchange->refs++;
    response = exchange->http->mhd->MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK, read_stream, exchange, release_stream);
    if (!response)
        exchange_unref(exchange);
    return response;
}
