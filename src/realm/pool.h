/* Slots kept ready. Sharded by thread, so that threads do not wait for each other and a slot's
 * memory stays warm in its core's cache; within a shard the slot used last is used first. */
#ifndef TENON_POOL_H
#define TENON_POOL_H

#include <pthread.h>

#include "image.h"

enum { POOL_SHARDS = 16 };

typedef struct RealmPool {
    const tn_allocator *allocator;
    const Image *image;
    int signal;
    uint32_t grace_ms; /* for Entry; tests shorten it */
    unsigned kept;     /* slots a shard keeps */
    struct {
        pthread_mutex_t lock;
        Slot *first;
        unsigned count;
        char apart[64]; /* from the next shard's line */
    } shards[POOL_SHARDS];
} RealmPool;

void pool_init(RealmPool *pool, const tn_allocator *allocator, const Image *image, int signal,
               unsigned kept);
void pool_release(RealmPool *pool);
/** A slot in the image's state; NULL if the system refuses memory. */
Slot *pool_take(RealmPool *pool);
void pool_give(RealmPool *pool, Slot *slot);
/** End a slot whose guest was stopped at an arbitrary instruction: a store may lack its mark. */
void pool_drop(RealmPool *pool, Slot *slot);

#endif
