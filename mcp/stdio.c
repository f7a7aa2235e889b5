/* Lines from standard input, until it ends; lines to standard output. */
#include "inside.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- out ---- */

/* Wait for room. False: nobody reads any more, and nothing more comes from there either. */
static bool wait_room(Door *door)
{
    enum { LOOK_MS = 100, PATIENCE_MS = 500 };

    for (int waited = 0;;) {
        struct pollfd ends[2] = {{.fd = STDOUT_FILENO, .events = POLLOUT},
                                 {.fd = STDIN_FILENO, .events = POLLRDHUP}};
        int ready = poll(ends, 2, LOOK_MS);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready > 0 && ends[0].revents)
            return true;
        if (ready > 0)
            (void)poll(NULL, 0, LOOK_MS); /* the input has ended: that is told at once */
        if (ready > 0 || door->closing)
            waited += LOOK_MS;
        if (waited >= PATIENCE_MS)
            return false;
    }
}

/* A pipe that has room takes this many bytes without blocking. */
static bool write_all(Door *door, const char *text, size_t length)
{
    enum { PIECE = 4096 };

    while (length > 0) {
        if (!wait_room(door))
            return false;
        ssize_t wrote = write(STDOUT_FILENO, text, length < PIECE ? length : PIECE);
        if (wrote < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (wrote > 0) {
            text += wrote;
            length -= (size_t)wrote;
        }
    }
    return true;
}

typedef struct Line {
    Sink sink; /* first */
    Peer peer;
    Door *door;
} Line;

/* One whole line, whatever other threads write. */
static void put(Sink *sink, const char *text, size_t length, const Said *said)
{
    Door *door = ((Line *)sink)->door;

    (void)said;
    pthread_mutex_lock(&door->output);
    if (!door->broken && (!write_all(door, text, length) || !write_all(door, "\n", 1)))
        door->broken = true;
    pthread_mutex_unlock(&door->output);
}

/* ---- in ---- */

enum { LINE_MOST = 32 << 20 };

typedef struct Input {
    char *bytes;
    size_t length, room;
    size_t seen;   /* of these no line ends in the first so many */
    bool too_long; /* in a line that is not kept */
} Input;

/* Whole lines are handed on; what is left begins the next one. */
static void take_lines(Line *line, Input *input)
{
    char *at = input->bytes, *end = input->bytes + input->length, *stop;

    for (char *from = at + input->seen; (stop = memchr(from, '\n', (size_t)(end - from)));
         at = from = stop + 1) {
        if (!input->too_long)
            (void)message_take(line->door, &line->sink, at, (size_t)(stop - at));
        input->too_long = false;
    }
    input->length = (size_t)(end - at);
    memmove(input->bytes, at, input->length);
    if (input->length > LINE_MOST && !input->too_long) {
        message_too_long(line->door, &line->sink);
        input->too_long = true;
    }
    if (input->too_long)
        input->length = 0;
    input->seen = input->length;
}

/* False: no more will come. */
static bool read_more(Input *input)
{
    enum { PIECE = 65536 };

    if (input->room - input->length < PIECE) {
        size_t room = input->room * 2 + PIECE;
        char *grown = realloc(input->bytes, room);
        if (!grown)
            return false;
        input->bytes = grown;
        input->room = room;
    }
    for (;;) {
        /* who closes our output has gone, whatever becomes of the input */
        struct pollfd ends[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = STDOUT_FILENO}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR)
            return false;
        if (ends[1].revents & (POLLERR | POLLHUP | POLLNVAL))
            return false;
        if (!ends[0].revents)
            continue;
        ssize_t got = read(STDIN_FILENO, input->bytes + input->length, PIECE);
        if (got > 0)
            input->length += (size_t)got;
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got > 0;
    }
}

static void serve(Line *line)
{
    Door *door = line->door;
    Input input = {0};

    while (!door->broken && read_more(&input))
        take_lines(line, &input);
    if (!door->broken && input.length > 0) /* the last line's end is its end */
        (void)message_take(door, &line->sink, input.bytes, input.length);
    free(input.bytes);
}

static bool input_ended(void)
{
    struct pollfd end = {.fd = STDIN_FILENO, .events = POLLRDHUP};

    return poll(&end, 1, 0) > 0;
}

DoorEnd door_stdio(tn_engine *engine, const DoorOptions *options)
{
    Door *door = door_new(engine, options);
    Line line = {.sink = {.peer = &line.peer, .put = put}, .door = door};

    if (!door)
        return DOOR_BROKEN;
    line.peer.log_level = LOG_INFO;
    line.peer.stream = &line.sink;
    door->left = input_ended;
    serve(&line);
    return door_end(door);
}
