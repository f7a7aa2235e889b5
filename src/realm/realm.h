/* A realm: one isolated JavaScript world, contained.
 *
 * How it is contained, in reading order: engine/engine.h (the compiled engine and a slot's layout),
 * slot (memory and stack), switch (changing stacks), watch (time, signals, the hard stop), image
 * (the frozen realm, programs as differences from it), pool (slots kept ready), realm.c (one run's
 * conversation with the guest), guest/ (the other side).
 *
 * The invariant: whatever the guest does or says, the host reads only inside the slot's memory and
 * believes only lengths it has checked. After realm_close the slot is byte for byte the image. */
#ifndef TENON_REALM_H
#define TENON_REALM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call.h"
#include "image.h"
#include "pool.h"
#include "watch.h"

/* What a realm may ask of its host, besides calls. */
typedef struct RealmWorld {
    void *context;
    void (*print)(void *context, unsigned level, const char *text, size_t length);
    double (*clock_ms)(void *context, bool wall);
    double (*zone_ms)(void *context, double time_ms, bool is_local);
    void (*random)(void *context, uint8_t *bytes, size_t length);
} RealmWorld;

typedef struct RealmLimits {
    uint64_t memory_bytes, argument_bytes, reply_bytes, result_bytes;
    uint32_t depth, timers;
    uint64_t cpu_ns;
    uint64_t wall_deadline_ns; /* monotonic */
} RealmLimits;

typedef enum RealmState {
    REALM_WAITING, /* for a call or a timer */
    REALM_OK,
    REALM_THREW,
    REALM_STOPPED, /* at a limit: see stop */
    REALM_REFUSED, /* the value cannot cross */
    REALM_LARGE,   /* the value is over its limit */
    REALM_IDLE,    /* settled before, nothing to do now */
    REALM_CRASHED, /* trapped */
    REALM_FAILED,  /* the guest had no memory for its own work: the memory limit */
    REALM_NO_TIMER /* not entered: no timer for this thread, and so no way to stop the program */
} RealmState;

struct Realm {
    RealmPool *pool;
    Slot *slot;
    Entry entry; /* for the signal and the cancel flag; the rest is filled at each stay */
    RealmLimits limits;
    RealmWorld world;
    CallPort port;
    CallReply reply;
    StopReason stop;
    uint64_t cpu_used_ns;
    int trap;
    bool dead; /* abandoned or trapped: may only be closed */
};

/** What the guest said last: bounds-checked bytes, valid until the next stay. */
const uint8_t *realm_out(const Realm *realm, size_t *out_length);
/** A number from the mailbox. */
const struct GuestMailbox *realm_mailbox(const Realm *realm);

/**
 * Open a fresh realm for a program (NULL: for compiling one).
 *
 * Errors: TN_ERR_NOMEM. `port` and `world` are copied; what they point to must outlive the realm.
 */
tn_status realm_open(RealmPool *pool, const ProgramCards *program, const RealmLimits *limits,
                     const RealmWorld *world, const CallPort *port, Realm *out_realm);
/** The same in a slot that already holds the program, and has run nothing of it. */
void realm_adopt(RealmPool *pool, Slot *slot, const RealmLimits *limits, const RealmWorld *world,
                 const CallPort *port, Realm *out_realm);
void realm_close(Realm *realm);
/** Take the slot out of a realm that compiled a program; the realm is closed without it. */
Slot *realm_take_slot(Realm *realm);

/** Compile; on GUEST_COMPILED (abi.h) the slot holds the program. */
RealmState realm_compile(Realm *realm, const char *text, size_t length, const char *name,
                         uint32_t *out_answer);
/** Begin, with `seed` for Math.random and inputs (CBOR, an object; none: length 0). With
 * `for_exports` the program's value is not wanted: on REALM_OK realm_out is empty. */
RealmState realm_begin(Realm *realm, uint64_t seed, bool for_exports, const uint8_t *inputs,
                       size_t length);
RealmState realm_turn(Realm *realm);
/** Hand in an answer. The promise is settled; call realm_turn to let the program go on. */
RealmState realm_deliver(Realm *realm, uint32_t call_id, uint32_t function, bool failed,
                         const uint8_t *bytes, size_t length);
/* What is called: the values of abi.h. */
typedef enum RealmInvoke {
    REALM_CALL_EXPORT = 0, /* by name */
    REALM_CALL_HELD = 1,
    REALM_NEW_HELD = 2,   /* afterwards the mailbox says under which number the instance is held */
    REALM_CALL_METHOD = 3 /* of what is held, by name */
} RealmInvoke;

RealmState realm_invoke(Realm *realm, RealmInvoke how, uint32_t held, const char *name,
                        const uint8_t *arguments, size_t length);
/** Keep an export inside: its number, and what it is (HELD_*); 0 if it is neither function nor
 * object. */
uint32_t realm_hold(Realm *realm, const char *name, uint32_t *out_kind);
void realm_drop(Realm *realm, uint32_t held);
/** Before an export is called: an earlier stop and its clocks are over. */
void realm_renew(Realm *realm, uint64_t wall_deadline_ns);
bool realm_exports(Realm *realm, const char *name);
/** Where the program waits. False if nowhere. */
bool realm_waiting(Realm *realm, unsigned *out_line, unsigned *out_column);
/** Unhandled rejections, as CBOR in realm_out. False if the realm cannot say. */
bool realm_rejections(Realm *realm);

#endif
