#include "pool.h"

#include <sched.h>

static unsigned shard_here(void)
{
    int cpu = sched_getcpu();

    return cpu < 0 ? 0 : (unsigned)cpu % POOL_SHARDS;
}

void pool_init(RealmPool *pool, const tn_allocator *allocator, const Image *image, int signal,
               unsigned kept)
{
    *pool = (RealmPool){.allocator = allocator, .image = image, .signal = signal, .kept = kept};
    for (unsigned i = 0; i < POOL_SHARDS; i++)
        pthread_mutex_init(&pool->shards[i].lock, NULL);
}

void pool_release(RealmPool *pool)
{
    for (unsigned i = 0; i < POOL_SHARDS; i++) {
        while (pool->shards[i].first) {
            Slot *slot = pool->shards[i].first;
            pool->shards[i].first = slot->next;
            slot_free(pool->allocator, slot);
        }
        pthread_mutex_destroy(&pool->shards[i].lock);
    }
}

Slot *pool_take(RealmPool *pool)
{
    unsigned i = shard_here();
    Slot *slot;

    pthread_mutex_lock(&pool->shards[i].lock);
    slot = pool->shards[i].first;
    if (slot) {
        pool->shards[i].first = slot->next;
        pool->shards[i].count--;
    }
    pthread_mutex_unlock(&pool->shards[i].lock);
    if (!slot)
        slot = slot_new(pool->allocator, pool->image->code, pool->image);
    if (slot)
        slot->used = true;
    return slot;
}

void pool_drop(RealmPool *pool, Slot *slot)
{
    slot_free(pool->allocator, slot);
}

void pool_give(RealmPool *pool, Slot *slot)
{
    unsigned i = shard_here();
    bool keep;

    slot_reset(slot);
    pthread_mutex_lock(&pool->shards[i].lock);
    keep = pool->shards[i].count < pool->kept;
    if (keep) {
        slot->next = pool->shards[i].first;
        pool->shards[i].first = slot;
        pool->shards[i].count++;
    }
    pthread_mutex_unlock(&pool->shards[i].lock);
    if (!keep)
        slot_free(pool->allocator, slot);
}
