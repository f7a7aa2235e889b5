/* One run's host calls: the call path between a realm and the providers. */
#ifndef TENON_CALLS_H
#define TENON_CALLS_H

#include "arena.h"
#include "call.h"
#include "hash.h"
#include "journal.h"
#include "registry.h"
#include "rules.h"
#include "wake.h"
#include "writer.h"

typedef struct CallLimits {
    uint32_t calls, calls_open;
    uint64_t reply_bytes, argument_bytes;
    uint64_t held_bytes; /* arguments of all calls not yet answered */
} CallLimits;

/* On what terms a run may call, and whom it may ask. */
typedef struct CallTerms {
    const tn_policy *policy; /* NULL: on any */
    void (*ask)(void *user, tn_question *question);
    void *ask_user;
} CallTerms;

typedef struct HostObject {
    void *object;
    void (*release)(void *object);
    const char *interface;
} HostObject;

typedef struct CallQueue {
    tn_call *first, *last;
} CallQueue;

/* What the policy says of one function, found at its first call. */
typedef struct Governed {
    const Clause *override;
    const RegistryEntry *replacement; /* of OVERRIDE_FUNCTION */
    const BoundParameter **bound;
    size_t bound_count;
    uint32_t calls_most, time_ms; /* 0: not limited */
    uint32_t made;
    bool read_only;          /* what runs */
    bool original_read_only; /* what it stands for */
} Governed;

typedef struct Calls {
    tn_allocator allocator;
    const Registry *registry;
    Journal *journal;
    Wake *wake; /* its lock guards what other threads reach: `done`, `answered`, `wanting`,
                   `objects`, `questions` and the pauses */
    void *context;
    CallLimits limits;
    CallTerms terms;
    double start_ms; /* of the run, on the monotonic clock */
    uint32_t made;
    uint32_t open; /* given to a provider, not answered */
    uint32_t next_id;
    uint64_t held;       /* bytes of the calls that are live */
    uint32_t generation; /* of this run's references: other runs' have another */
    tn_call *live;       /* every call not yet delivered */
    CallQueue waiting;   /* over calls_open: their turn comes */
    CallQueue done;      /* answered later, to be delivered */
    CallQueue answered;  /* the question about it was answered later */
    CallQueue wanting;   /* the original is wanted, by another thread */
    tn_call *replied;    /* whose reply the realm is reading */
    HostObject *objects;
    size_t object_count, object_capacity;
    Arena arena; /* of `governed` */
    Governed **governed;
    bool has_times;     /* some call has a deadline of its own */
    uint32_t asking;    /* calls about which there is a question, open or just answered */
    uint32_t questions; /* open, and calls that stop the clock */
    bool clock_stops;   /* some call has done so */
    uint64_t paused_ns, paused_since_ns;
    uint64_t wall_deadline_ns;  /* of the run, as if nobody were ever asked */
    uint64_t *stay_deadline_ns; /* of the stay that a call comes from */
    bool hurried;               /* the run is over but for what is open: nobody is waited for */
    bool has_key;
    HashKey key; /* of the questions' ids */
} Calls;

void calls_init(Calls *calls, const tn_allocator *allocator, const Registry *registry,
                Journal *journal, Wake *wake, const CallLimits *limits, uint32_t generation,
                void *context);
/** Before the first call. Errors: TN_ERR_NOT_FOUND (the policy has a function run that is not
 * there), TN_ERR_ARGUMENT (or one that is not TN_FUNCTION_SYNC in place of one that is),
 * TN_ERR_NOMEM. */
tn_status calls_set_terms(Calls *calls, const CallTerms *terms);

/** Another piece of work: what is counted is counted from zero. */
void calls_renew(Calls *calls);
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

/** tn_call_fail, and the members of an object are more properties of the error. */
void call_fail_with(tn_call *call, const char *code, const char *message, bool retryable,
                    tn_value details);

/* What the run of a call that has just come in says of it; on the thread that drives it. */
typedef struct CallSetting {
    const tn_policy *policy; /* NULL: none; lives as long as the run */
    uint32_t generation;     /* the run's own */
    uint64_t reply_bytes;
} CallSetting;
CallSetting call_setting(const tn_call *call);
/** Answer a call by a denial that is its provider's: it is one in the journal too. */
void call_refuse(tn_call *call, const char *message);

/** Calls not answered, those still waiting for their turn or for a person included. */
uint32_t calls_unanswered(const Calls *calls);

/** The run is about to end: questions nobody answered are denials now. */
void calls_withdraw(Calls *calls);

/** The run's wall deadline, put off by the time that people took; UINT64_MAX while one is asked. */
uint64_t calls_wall_deadline(Calls *calls);
/** The first time at which a call has taken too long; UINT64_MAX: never. */
uint64_t calls_deadline(const Calls *calls);

#endif
