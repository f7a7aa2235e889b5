/* The door itself: its engine, opened while clients are greeted, and its end. */
#include "inside.h"

#include <poll.h>
#include <stdlib.h>

static void *open_engine(void *argument)
{
    Door *door = argument;
    bool opened = door->options.open(door->current->engine, door->options.policy) == 0;

    pthread_mutex_lock(&door->lock);
    door->state = opened ? DOOR_OPEN : DOOR_SHUT;
    pthread_cond_broadcast(&door->changed);
    pthread_mutex_unlock(&door->lock);
    if (opened)
        items_compile(door);
    return NULL;
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
        if (waited >= most_ms || (door->left && door->left()))
            break;
        (void)poll(NULL, 0, LOOK_MS);
    }
    return state_of(door) == DOOR_OPEN;
}

static bool is_opening(Door *door)
{
    pthread_mutex_lock(&door->lock);
    bool opening = door->renewing || (door->opens && door->state == DOOR_CLOSED);
    pthread_mutex_unlock(&door->lock);
    return opening;
}

/* Where the engine takes its time, programs that wait for it are cancelled all the same; a thread
 * that opens it cannot be, and needs the door: false. */
static bool close_door(Door *door)
{
    enum { PATIENCE_MS = 300, LOOK_MS = 10 };

    jobs_end(door);
    for (int waited = 0; waited < PATIENCE_MS && is_opening(door); waited += LOOK_MS)
        (void)poll(NULL, 0, LOOK_MS);
    if (is_opening(door))
        return false;
    if (door->opens)
        pthread_join(door->opener, NULL);
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

Door *door_new(tn_engine *engine, const DoorOptions *options)
{
    Door *door = calloc(1, sizeof *door); /* a thread that opens the engine may outlive this */

    if (!door) {
        tn_engine_free(engine);
        return NULL;
    }
    door->current = door_engine_new(engine);
    if (!door->current) {
        free(door);
        return NULL;
    }
    door->options = *options;
    door_init(door);
    door->opens = options->open && pthread_create(&door->opener, NULL, open_engine, door) == 0;
    if (!door->opens)
        door->state =
            !options->open || options->open(engine, options->policy) == 0 ? DOOR_OPEN : DOOR_SHUT;
    door->watched = pthread_create(&door->watcher, NULL, jobs_watch, door) == 0;
    return door;
}

DoorEnd door_end(Door *door)
{
    watches_end(door);
    bool closed = close_door(door);

    if (door->watched)
        pthread_join(door->watcher, NULL);
    if (!closed)
        return DOOR_OPENING;
    DoorEnd end = door->broken ? DOOR_BROKEN : DOOR_ENDED;
    keep_release(door);
    door_engine_free(door->current);
    pthread_cond_destroy(&door->changed);
    pthread_mutex_destroy(&door->output);
    pthread_mutex_destroy(&door->lock);
    free(door);
    return end;
}
