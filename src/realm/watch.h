/* The watch: entering guest code, and ending it from outside.
 *
 * Each thread that enters has one timer. While it is inside, the timer's signal comes every few
 * milliseconds; the handler looks at the clocks. First it asks politely (a flag in the guest's
 * memory, seen at the engine's next poll); if that has not helped after WATCH_GRACE_MS, it takes
 * the thread off the guest's stack. The guest holds no locks and no memory of the host, so this may
 * happen at any of its instructions.
 *
 * The invariant: `in_guest` is true exactly while this thread executes guest code and nothing else;
 * only then may a handler abandon it. Growing memory and every import clear it first (watch_pause)
 * and look, on the way back, whether their time came meanwhile (watch_resume).
 *
 * The timer is armed lazily and left running from run to run: it stops itself at the first tick
 * that finds its thread outside. */
#ifndef TENON_WATCH_H
#define TENON_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tenon.h"

enum { WATCH_TICK_MS = 10, WATCH_GRACE_MS = 80 };

typedef enum StopReason { STOP_NONE, STOP_WALL, STOP_CPU, STOP_CANCEL, STOP_CALLS } StopReason;

typedef enum EnterResult {
    ENTER_RETURNED,
    ENTER_ABANDONED, /* stopped hard; `stop` says why */
    ENTER_TRAPPED,   /* the guest did what it must not; `trap` says what */
    ENTER_NO_TIMER   /* not entered: the system has no timer left for this thread */
} EnterResult;

struct Slot;

/* One stay in the guest. Zeroed, then filled by the caller down to the line. */
typedef struct Entry {
    struct Slot *slot;
    uint64_t wall_deadline_ns;    /* on the monotonic clock; 0: none */
    uint64_t cpu_left_ns;         /* 0: no limit */
    const volatile bool *cancel;  /* becomes true when the run is to end; may be NULL */
    volatile uint32_t *stop_flag; /* in the guest's memory */
    int signal;
    uint32_t grace_ms; /* between the polite stop and the hard one; 0: WATCH_GRACE_MS */
    /* ---- */
    const void *host_bottom; /* of the host's stack, for AddressSanitizer */
    size_t host_size;
    struct Entry *outer; /* the run whose host function started this one */
    void *host_sp;
    volatile bool in_guest;
    volatile bool due; /* hard stop came while not in guest code */
    volatile StopReason stop;
    volatile uint64_t stop_ns;
    volatile uint64_t cpu_base_ns;
    uint64_t enter_ns, host_ns, host_cpu_ns;
    uint64_t cpu_seen_ns, cpu_seen_at_ns; /* the thread's CPU clock when last read, and when */
    bool host_is_slow;                    /* the last host call was not short */
    uint64_t cpu_used_ns;                 /* out: time inside, without host functions */
    volatile int trap;
} Entry;

/**
 * Take the process's signals: the real-time signal for time, and with `guard` SIGSEGV and SIGBUS.
 * Counted: each start needs its watch_stop. Handlers that were there before are chained to.
 */
tn_status watch_start(int signal, bool guard);
void watch_stop(int signal, bool guard);

/** The signal for an option value of 0. */
int watch_default_signal(void);

/** Run `run(argument)` in the guest of `entry->slot`, under the watch. */
EnterResult watch_enter(Entry *entry, void (*run)(void *), void *argument);

/** Run host code on the slot's own native stack, which is large: no guest code, and no watch. */
void watch_on_stack(struct Slot *slot, void (*run)(void *), void *argument);

/** Leaving guest code for a moment, and going back. NULL entries are let through. */
void watch_pause(Entry *entry);
void watch_resume(Entry *entry);

/** From an import: run `run(argument)` on the host's own stack, its time not counted as CPU. */
void watch_host_call(Entry *entry, void (*run)(void *), void *argument);

/** Ask the guest to stop, from code on its thread. */
void watch_ask(Entry *entry, StopReason reason);

/** From an import: end this stay as trapped. */
_Noreturn void watch_trap(Entry *entry, int code);

uint64_t watch_now_ns(void);

#endif
