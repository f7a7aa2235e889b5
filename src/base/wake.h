/* Waking a run: the one thing another thread may do to it.
 *
 * A Wake is shared by a run and by the calls it has open, and lives until the last of them is done.
 * Waiting is on a condition variable; a descriptor exists only once somebody asked for one. */
#ifndef WAKE_H
#define WAKE_H

#include <pthread.h>

#include "tenon.h"

typedef struct Wake {
    tn_allocator allocator;
    pthread_mutex_t lock; /* also guards what the sharers put behind it */
    pthread_cond_t changed;
    unsigned references;
    bool signaled;
    int event; /* -1 until asked for */
    int timer;
    int poll;
} Wake;

/** A new one with one reference; NULL if refused memory. */
Wake *wake_new(const tn_allocator *allocator);
Wake *wake_ref(Wake *wake);
void wake_unref(Wake *wake);

/** Signal. With the lock held or not (`wake_signal_locked`). */
void wake_signal(Wake *wake);
void wake_signal_locked(Wake *wake);

/** Wait until signaled or `deadline_ns` on the monotonic clock (UINT64_MAX: no end); forget it. */
void wake_wait(Wake *wake, uint64_t deadline_ns);

/** Forget a signal: what it announced is about to be looked at. */
void wake_clear(Wake *wake);

/** A descriptor readable when signaled or when the set time has come; -1 if refused. */
int wake_descriptor(Wake *wake);
/** When the descriptor becomes readable by itself; UINT64_MAX: never. No descriptor: nothing. */
void wake_set_time(Wake *wake, uint64_t deadline_ns);

#endif
