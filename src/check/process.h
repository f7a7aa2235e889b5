/*
 * One compiler process: begun in a jail, spoken to over a socket, ended for certain.
 *
 * The host may have threads, signal handlers and children of its own. So: no handler is set and
 * none of the host's is run in the child; only our own child is waited for; its death never raises
 * SIGPIPE; and it is known by a descriptor, not by a number that may be used again.
 *
 * A child that is to die with its parent dies, as the kernel sees it, with the *thread* that
 * started it. Therefore a keeper, a thread that does nothing else, starts all of them.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <pthread.h>
#include <sys/types.h>

#include "tenon.h"

typedef struct Process {
    int socket; /* its standard input and output; -1: no process */
    int handle; /* a pidfd */
    pid_t pid;
    pid_t owner;    /* the process that began it: not a child that the host forked later */
    unsigned walls; /* ConfineWall */
} Process;

#define PROCESS_NONE ((Process){.socket = -1, .handle = -1})

typedef struct ProcessOrder {
    const char *path;
    const char *const *arguments;   /* the first is the name, the last NULL */
    const char *const *environment; /* its whole environment, ends with NULL */
    uint64_t memory_bytes;
} ProcessOrder;

typedef struct Keeper {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    pid_t owner; /* 0: there is no thread yet */
    bool leaving;
    const ProcessOrder *order; /* to be done */
    Process *out_process;
    tn_status status;
    bool done;
} Keeper;

void keeper_init(Keeper *keeper);

/** Processes that the keeper began do not outlive it. */
void keeper_release(Keeper *keeper);

/**
 * Begin a process. One order at a time: the caller holds a lock.
 *
 * Errors: TN_ERR_NOT_FOUND (there is no such program, or it cannot be executed), TN_ERR_SYSTEM.
 */
tn_status keeper_start(Keeper *keeper, const ProcessOrder *order, Process *out_process);

typedef enum ProcessEnd {
    PROCESS_ENDED,      /* of itself, or by us */
    PROCESS_OVER_CPU,   /* by the limit on processor time */
    PROCESS_OVER_MEMORY /* it had come near its limit of memory */
} ProcessEnd;

/** Kill it, wait for it, and make it none. Why did it end? */
ProcessEnd process_end(Process *process, uint64_t memory_bytes);

/** Processor time used so far, in ms; 0 if it is gone. */
double process_cpu_ms(const Process *process);

/** Memory it holds at present; 0 if it is gone. */
uint64_t process_resident_bytes(const Process *process);

/** It may use this much more processor time (whole seconds, rounded up), then the kernel ends it,
 * whatever becomes of us. */
void process_allow_cpu(const Process *process, double more_ms);

#endif
