#include "log.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

/* Who waits for a group, on its own stack. */
struct LogWaiter {
    LogWaiter *next;
    bool durable, done, good;
};

/* ---- the thread ---- */

/* A moment for others to join, but for who waits. With the lock. */
static void gather(tn_journal *log)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOG_GROUP_MS * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    while (!log->ending && !log->urgent && log->waiting.length < LOG_GROUP_BYTES) {
        if (pthread_cond_timedwait(&log->work, &log->lock, &until) == ETIMEDOUT)
            break;
    }
}

static bool is_durable(const LogWaiter *waiters)
{
    while (waiters && !waiters->durable)
        waiters = waiters->next;
    return waiters != NULL;
}

/* With the lock, which is let go of while the disk works. */
static void write_group(tn_journal *log)
{
    LogWaiter *waiters = log->waiters;
    Buf group = log->waiting;
    char fault[STORE_FAULT_BYTES];
    bool good;

    log->waiting = log->writing;
    log->waiters = NULL;
    log->urgent = false;
    pthread_cond_broadcast(&log->done); /* there is room */
    pthread_mutex_unlock(&log->lock);
    good = store_write(&log->store, group.data, group.length, is_durable(waiters), fault);
    if (group.capacity > 2 * LOG_GROUP_BYTES)
        buf_release(&group);
    buf_init(&log->writing, &log->allocator, SIZE_MAX);
    if (group.data) {
        log->writing = group;
        buf_clear(&log->writing);
    }
    pthread_mutex_lock(&log->lock);
    if (!good) {
        log->faults++;
        log->told = false;
        memcpy(log->fault, fault, sizeof fault);
    }
    for (LogWaiter *next; waiters; waiters = next) {
        next = waiters->next;
        waiters->good = good;
        waiters->done = true;
    }
    pthread_cond_broadcast(&log->done);
}

static void *work(void *argument)
{
    tn_journal *log = argument;

    pthread_mutex_lock(&log->lock);
    for (;;) {
        while (!log->ending && log->waiting.length == 0 && !log->waiters)
            pthread_cond_wait(&log->work, &log->lock);
        if (log->waiting.length == 0 && !log->waiters)
            break;
        gather(log);
        write_group(log);
        if (store_wants_pruning(&log->store)) {
            pthread_mutex_unlock(&log->lock);
            store_prune(&log->store);
            pthread_mutex_lock(&log->lock);
        }
    }
    pthread_mutex_unlock(&log->lock);
    return NULL;
}

/* No signal of the host's or of a realm's is for this thread; and a file that may not grow is an
 * error to it, not its end (SIGXFSZ). */
static bool start(tn_journal *log)
{
    sigset_t all, before;

    if (log->started)
        return true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    log->started = pthread_create(&log->thread, NULL, work, log) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return log->started;
}

/* ---- records ---- */

LogEntry log_begin(tn_journal *log, const Record *head)
{
    LogEntry entry = {.log = log, .head = *head};

    pthread_mutex_lock(&log->lock);
    while (log->waiting.length > LOG_WAITING_BYTES && start(log))
        pthread_cond_wait(&log->done, &log->lock);
    entry.at = log->waiting.length;
    buf_append(&log->waiting, &entry.head, sizeof entry.head);
    entry.part_at = log->waiting.length;
    return entry;
}

void log_put(LogEntry *entry, const void *bytes, size_t length)
{
    if (length > 0)
        buf_append(&entry->log->waiting, bytes, length);
}

void log_end_part(LogEntry *entry)
{
    size_t length = entry->log->waiting.length;

    entry->head.parts[entry->parts++] = (uint32_t)(length - entry->part_at);
    entry->part_at = length;
}

/* Whole, or not there at all. */
static bool close_record(LogEntry *entry)
{
    tn_journal *log = entry->log;
    Buf *waiting = &log->waiting;

    if (waiting->failed || waiting->length - entry->at > UINT32_MAX || !start(log)) {
        waiting->length = entry->at;
        waiting->failed = waiting->over_limit = false;
        log->faults++;
        log->told = false;
        strcpy(log->fault, "there is no memory or no thread for it");
        return false;
    }
    entry->head.bytes = (uint32_t)(waiting->length - entry->at);
    memcpy(waiting->data + entry->at, &entry->head, sizeof entry->head);
    /* a thread that gathers need not be told */
    if (entry->at == 0 || waiting->length >= LOG_GROUP_BYTES)
        pthread_cond_signal(&log->work);
    return true;
}

/* With the lock, which is let go of. */
static bool wait_for_group(tn_journal *log, bool durable)
{
    LogWaiter waiter = {.next = log->waiters, .durable = durable};

    /* cppcheck-suppress autoVariables; it waits here until it is out of the list again */
    log->waiters = &waiter;
    log->urgent = true;
    pthread_cond_signal(&log->work);
    while (!waiter.done)
        pthread_cond_wait(&log->done, &log->lock);
    pthread_mutex_unlock(&log->lock);
    return waiter.good;
}

void log_end(LogEntry *entry)
{
    (void)close_record(entry);
    pthread_mutex_unlock(&entry->log->lock);
}

bool log_end_durable(LogEntry *entry)
{
    if (close_record(entry))
        return wait_for_group(entry->log, true);
    pthread_mutex_unlock(&entry->log->lock);
    return false;
}

unsigned log_faults(tn_journal *log)
{
    unsigned faults;

    pthread_mutex_lock(&log->lock);
    faults = log->faults;
    pthread_mutex_unlock(&log->lock);
    return faults;
}

void log_flush(tn_journal *log)
{
    pthread_mutex_lock(&log->lock);
    if (log->started)
        (void)wait_for_group(log, false);
    else
        pthread_mutex_unlock(&log->lock);
}
