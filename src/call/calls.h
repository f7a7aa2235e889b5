/* One run's host calls: the call path between a realm and the providers. */
#ifndef TENON_CALLS_H
#define TENON_CALLS_H

#include "call.h"
#include "journal.h"
#include "registry.h"
#include "wake.h"
#include "writer.h"

typedef struct CallLimits {
    uint32_t calls, calls_open;
    uint64_t reply_bytes, argument_bytes;
    uint64_t held_bytes; /* arguments of all calls not yet answered */
} CallLimits;

typedef struct HostObject {
    void *object;
    void (*release)(void *object);
    const char *interface;
} HostObject;

typedef struct Calls {
    tn_allocator allocator;
    const Registry *registry;
    Journal *journal;
    Wake *wake; /* its lock guards `done` and `objects`, which other threads reach */
    void *context;
    CallLimits limits;
    double start_ms; /* of the run, on the monotonic clock */
    uint32_t made;
    uint32_t open; /* given to a provider, not answered */
    uint32_t next_id;
    uint64_t held;       /* bytes of the calls that are live */
    uint32_t generation; /* of this run's references: other runs' have another */
    tn_call *live;       /* every call not yet delivered */
    tn_call *waiting;    /* over calls_open: their turn comes */
    tn_call *waiting_last;
    tn_call *done; /* answered later, to be delivered */
    tn_call *done_last;
    tn_call *replied; /* whose reply the realm is reading */
    HostObject *objects;
    size_t object_count, object_capacity;
} Calls;

void calls_init(Calls *calls, const tn_allocator *allocator, const Registry *registry,
                Journal *journal, Wake *wake, const CallLimits *limits, uint32_t generation,
                void *context);

/** Cancel what is open: those calls become their holders' to finish, and reach nobody. */
void calls_cancel(Calls *calls);
/** End it: open calls are cancelled, references released. */
void calls_release(Calls *calls);

/** The port a realm is handed. */
CallPort calls_port(Calls *calls);

/** An answered call to deliver, or NULL. Ended with calls_delivered. */
tn_call *calls_next_done(Calls *calls);
typedef struct CallDelivery {
    uint32_t call_id, function;
    bool failed;
    const uint8_t *bytes;
    size_t length;
} CallDelivery;
CallDelivery calls_delivery(const tn_call *call);
void calls_delivered(Calls *calls, tn_call *call);

/** Calls not answered, those still waiting for their turn included. */
uint32_t calls_unanswered(const Calls *calls);

#endif
