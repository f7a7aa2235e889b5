/* The engine that requests use. What servers offer is fixed when an engine is opened; when one of
 * them offers something else, another engine takes its place, in the background. Runs go on with
 * the one that they began with. */
#include "inside.h"

#include <stdlib.h>

enum {
    AGAIN_S = 5, /* not sooner than so after the last one, doubled each time */
    AGAIN_MOST_S = 3600,
    PATIENCE_MS = 1500 /* of a request, for the new one */
};

DoorEngine *door_engine_new(tn_engine *engine)
{
    DoorEngine *held = engine ? calloc(1, sizeof *held) : NULL;

    if (held)
        held->engine = engine;
    else
        tn_engine_free(engine);
    return held;
}

void door_engine_free(DoorEngine *held)
{
    for (size_t i = 0; i < held->program_count; i++)
        tn_program_free(held->programs[i]);
    free(held->programs);
    tn_engine_free(held->engine);
    free(held);
}

static void free_unused(DoorEngine *held)
{
    if (held && held->users == 0)
        door_engine_free(held);
}

static void *renew(void *argument)
{
    Door *door = argument;
    DoorEngine *made = door_engine_new(door->options.renew(door->options.context));
    DoorEngine *old = NULL;

    pthread_mutex_lock(&door->lock);
    if (made) {
        old = door->current;
        door->current = made;
        old->replaced = true;
    }
    bool unused = old && old->users == 0;
    pthread_mutex_unlock(&door->lock);
    free_unused(unused ? old : NULL);
    pthread_mutex_lock(&door->lock);
    door->renewing = false;
    pthread_cond_broadcast(&door->changed);
    pthread_mutex_unlock(&door->lock);
    return NULL;
}

void door_engine_look(Door *door)
{
    struct timespec now;
    pthread_t thread;
    pthread_attr_t attributes;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!door->options.renew || door->state != DOOR_OPEN || door->renewing || door->closing ||
        now.tv_sec < door->renew_after || !tn_engine_outdated(door->current->engine))
        return;
    door->renew_wait = door->renew_wait == 0                 ? AGAIN_S
                       : door->renew_wait * 2 < AGAIN_MOST_S ? door->renew_wait * 2
                                                             : AGAIN_MOST_S;
    door->renew_after = now.tv_sec + door->renew_wait;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    door->renewing = pthread_create(&thread, &attributes, renew, door) == 0;
    pthread_attr_destroy(&attributes);
}

DoorEngine *door_engine_take(Door *door)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (until.tv_nsec + PATIENCE_MS * 1000000L) / 1000000000L;
    until.tv_nsec = (until.tv_nsec + PATIENCE_MS * 1000000L) % 1000000000L;
    pthread_mutex_lock(&door->lock);
    door_engine_look(door);
    while (door->renewing && !door->closing &&
           pthread_cond_timedwait(&door->changed, &door->lock, &until) == 0) {
    }
    DoorEngine *held = door->current;
    held->users++;
    pthread_mutex_unlock(&door->lock);
    return held;
}

void door_engine_give(Door *door, DoorEngine *held)
{
    pthread_mutex_lock(&door->lock);
    bool unused = --held->users == 0 && held->replaced;
    pthread_mutex_unlock(&door->lock);
    free_unused(unused ? held : NULL);
}
