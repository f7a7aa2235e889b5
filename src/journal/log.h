/* A journal on disk, as runs see it: records go into memory, a thread of its own takes them to the
 * store in groups.
 *
 * A run only copies. The thread waits a moment for more (LOG_GROUP_MS), then writes what there is
 * in one transaction; who needs to know that it is on disk waits for that. What cannot be written
 * is lost, and said: the next group is tried again. */
#ifndef LOG_H
#define LOG_H

#include <pthread.h>

#include "buf.h"
#include "record.h"
#include "store.h"

enum {
    LOG_GROUP_MS = 20,
    LOG_GROUP_BYTES = 1 << 20,   /* a group that is this large does not wait */
    LOG_WAITING_BYTES = 32 << 20 /* runs wait once this much waits for the disk */
};

typedef struct LogWaiter LogWaiter;

struct tn_journal {
    tn_allocator allocator;
    pthread_mutex_t lock;
    pthread_cond_t work; /* there is something to write, or to end for */
    pthread_cond_t done; /* a group is written */
    pthread_t thread;
    bool started, ending, urgent;
    Buf waiting; /* records */
    LogWaiter *waiters;
    unsigned faults;               /* groups that could not be written */
    char fault[STORE_FAULT_BYTES]; /* of the last one */
    bool told;                     /* to who flushed */
    Buf writing;                   /* the thread's, like the store */
    Store store;
};

/* A record being written. */
typedef struct LogEntry {
    tn_journal *log;
    Record head;
    size_t at, part_at;
    unsigned parts;
} LogEntry;

/** Begin one whose head is filled but for its lengths; end each of its parts, then it. The log is
 * locked in between. */
LogEntry log_begin(tn_journal *log, const Record *head);
void log_put(LogEntry *entry, const void *bytes, size_t length);
void log_end_part(LogEntry *entry);
void log_end(LogEntry *entry);
/** The same, and wait until it is on disk, come what may. False: it is not. */
bool log_end_durable(LogEntry *entry);

/** Have so many groups failed? */
unsigned log_faults(tn_journal *log);

/** Wait until what is there now is written. */
void log_flush(tn_journal *log);

#endif
