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

void line_put(Door *door, const char *text, size_t length)
{
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
static void take_lines(Door *door, Input *input)
{
    char *at = input->bytes, *end = input->bytes + input->length, *stop;

    for (char *from = at + input->seen; (stop = memchr(from, '\n', (size_t)(end - from)));
         at = from = stop + 1) {
        if (!input->too_long)
            message_take(door, at, (size_t)(stop - at));
        input->too_long = false;
    }
    input->length = (size_t)(end - at);
    memmove(input->bytes, at, input->length);
    if (input->length > LINE_MOST && !input->too_long) {
        message_too_long(door);
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

static void serve(Door *door)
{
    Input input = {0};

    while (!door->broken && read_more(&input))
        take_lines(door, &input);
    if (!door->broken && input.length > 0) /* the last line's end is its end */
        message_take(door, input.bytes, input.length);
    free(input.bytes);
}

/* ---- the engine ---- */

static void *open_engine(void *argument)
{
    Door *door = argument;
    bool opened = door->options.open(door->engine) == 0;

    pthread_mutex_lock(&door->lock);
    door->state = opened ? DOOR_OPEN : DOOR_SHUT;
    pthread_cond_broadcast(&door->changed);
    pthread_mutex_unlock(&door->lock);
    return NULL;
}

static bool input_ended(void)
{
    struct pollfd end = {.fd = STDIN_FILENO, .events = POLLRDHUP};

    return poll(&end, 1, 0) > 0;
}

static DoorState state_of(Door *door)
{
    pthread_mutex_lock(&door->lock);
    DoorState state = door->state;
    pthread_mutex_unlock(&door->lock);
    return state;
}

bool door_wait_open(Door *door, unsigned most_ms)
{
    enum { LOOK_MS = 20 };

    for (unsigned waited = 0; state_of(door) == DOOR_CLOSED; waited += LOOK_MS) {
        if (waited >= most_ms || input_ended())
            break;
        (void)poll(NULL, 0, LOOK_MS);
    }
    return state_of(door) == DOOR_OPEN;
}

/* Where the engine takes its time, programs that wait for it are cancelled all the same; a thread
 * that opens it cannot be, and needs the door: false. */
static bool close_door(Door *door, const pthread_t *opener)
{
    enum { PATIENCE_MS = 300, LOOK_MS = 10 };

    jobs_end(door);
    if (!opener)
        return true;
    for (int waited = 0; waited < PATIENCE_MS && state_of(door) == DOOR_CLOSED; waited += LOOK_MS)
        (void)poll(NULL, 0, LOOK_MS);
    if (state_of(door) == DOOR_CLOSED)
        return false;
    pthread_join(*opener, NULL);
    return true;
}

static void door_init(Door *door)
{
    pthread_condattr_t attributes;

    if (door->options.tokens == 0)
        door->options.tokens = 4000;
    if (door->options.jobs == 0)
        door->options.jobs = 8;
    pthread_mutex_init(&door->lock, NULL);
    pthread_mutex_init(&door->output, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&door->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

DoorEnd door_stdio(tn_engine *engine, const DoorOptions *options)
{
    Door *door = calloc(1, sizeof *door); /* a thread that opens the engine may outlive this */
    pthread_t watcher, opener;
    bool watched, opens;

    if (!door)
        return DOOR_BROKEN;
    door->engine = engine;
    door->options = *options;
    door_init(door);
    opens = options->open && pthread_create(&opener, NULL, open_engine, door) == 0;
    if (!opens)
        door->state = !options->open || options->open(engine) == 0 ? DOOR_OPEN : DOOR_SHUT;
    watched = pthread_create(&watcher, NULL, jobs_watch, door) == 0;
    serve(door);
    bool closed = close_door(door, opens ? &opener : NULL);
    if (watched)
        pthread_join(watcher, NULL);
    if (!closed)
        return DOOR_OPENING;
    DoorEnd end = door->broken ? DOOR_BROKEN : DOOR_ENDED;
    keep_release(door);
    pthread_cond_destroy(&door->changed);
    pthread_mutex_destroy(&door->output);
    pthread_mutex_destroy(&door->lock);
    free(door);
    return end;
}
