/* One call from its beginning to its end: what the files of this folder share, and nobody else. */
#ifndef TENON_TN_CALL_H
#define TENON_TN_CALL_H

#include "calls.h"
#include "value.h"

typedef enum CallState {
    CALL_NEW,
    CALL_VALUE_GIVEN, /* or nothing was written: undefined */
    CALL_FAILED
} CallState;

typedef void (*CallAnswered)(void *user, tn_call *call, const tn_answer *answer);

struct tn_call {
    tn_call *next;          /* live */
    tn_call *next_queue;    /* in one of the queues */
    tn_allocator allocator; /* for the writer: marks it as a call's (see call_of_writer) */
    Calls *calls;           /* NULL once the run is gone; under the wake's lock */
    Wake *wake;
    const RegistryEntry *entry;
    const RegistryEntry *ran; /* what answers it; NULL: no provider */
    Governed *governed;       /* NULL: no policy */
    CallState state;
    bool made;     /* given to who answers it */
    bool denied;   /* and will not be */
    bool deferred; /* whoever runs it owes the finish */
    bool finished; /* its holder has let go of it */
    void *context; /* the run's: readable from any thread */
    volatile bool cancelled;
    void (*on_cancel)(void *user);
    void *on_cancel_user;
    uint32_t id, line, object, generation;
    uint64_t deadline_ns; /* 0: none of its own */
    size_t journal_entry;
    bool direct; /* made in the moment in which it was asked */
    /* the question about it */
    tn_question *question; /* while it is open; under the wake's lock */
    bool being_asked;      /* its `ask` has not returned */
    bool stops_clock;      /* the run's wall clock; under the wake's lock */
    bool allowed;
    const char *asking_rule;
    /* the original of a replaced function */
    bool running; /* on `runner` */
    pthread_t runner;
    bool waits;      /* for the original: its holder owes nothing */
    bool answered;   /* by way of the original: nobody is to add to it */
    Buf wanted;      /* the arguments for it, while another thread has wished for it */
    tn_call *parent; /* of an original */
    CallAnswered on_answer;
    void *on_answer_user;
    Buf bound; /* the first argument, parameters of the host's added */
    tn_writer result;
    Buf error; /* CBOR: {message, code?, retryable?} */
    size_t argument_count;
    tn_value *arguments;
    size_t bytes; /* of this block */
    uint8_t copy[];
};

/* ---- calls.c ---- */

/** A call that is live; NULL: no memory, or the request is none that an honest guest makes. */
tn_call *call_new(Calls *calls, const CallRequest *request);
void call_free(tn_call *call);
void call_unlink(Calls *calls, tn_call *call);
/** Give it to who answers it. True if it is answered on return. */
bool call_dispatch(Calls *calls, tn_call *call);
double calls_clock_ms(const Calls *calls);

static inline void call_queue(CallQueue *queue, tn_call *call)
{
    call->next_queue = NULL;
    if (queue->first)
        queue->last->next_queue = call;
    else
        queue->first = call;
    queue->last = call;
}

static inline tn_call *call_unqueue(CallQueue *queue)
{
    tn_call *call = queue->first;

    if (call)
        queue->first = call->next_queue;
    return call;
}

static inline void call_remove(CallQueue *queue, const tn_call *call)
{
    tn_call *before = NULL;

    for (tn_call **link = &queue->first; *link; before = *link, link = &(*link)->next_queue) {
        if (*link != call)
            continue;
        *link = call->next_queue;
        if (queue->last == call)
            queue->last = before;
        return;
    }
}

/* ---- record.c ---- */

/** On the record, with what it says; what is not does not happen. */
bool call_open_entry(Calls *calls, tn_call *call, bool read_only);
/** It is to be made now. False: that cannot be written down, and its error is. */
bool call_make_entry(Calls *calls, tn_call *call, const char *ran);
/** Its answer, or its denial. */
void call_close_entry(Calls *calls, tn_call *call);

/* ---- answer.c ---- */

void call_write_error(tn_call *call, const char *code, const char *message, int retryable);
/** The same with a message of parts, and the call is denied. */
void call_deny(tn_call *call, const char *code, const char *const *parts);
/** A result that is no value becomes an error that says so, to the program and to the journal. */
void call_settle(tn_call *call);
CallReply call_reply(const tn_call *call);
void *call_resize(void *context, void *old, size_t old_bytes, size_t new_bytes);

/** All arguments, as a request has them. */
void call_write_arguments(const tn_call *call, Buf *out);

/* ---- arguments.c ---- */

/** Do its arguments fit what the function takes? If not, its error is written. */
bool call_fits(tn_call *call);

/* ---- govern.c ---- */

typedef enum Ruling { RULING_GO, RULING_ANSWERED, RULING_ASKED } Ruling;

/** What the policy says of a function; NULL if memory ran out. */
Governed *govern_function(Calls *calls, const RegistryEntry *entry);
/** May it go on? If not, its error is written, or somebody is asked. */
Ruling govern_call(Calls *calls, tn_call *call);
/** Somebody has answered: go on, or the error is written. */
Ruling govern_answered(tn_call *call);

/* ---- question.c ---- */

/** Ask. RULING_ANSWERED: refused, or nobody to ask. */
Ruling question_ask(Calls *calls, tn_call *call, const Clause *rule);
/** The call is gone: nobody can answer any more. With the wake's lock. */
void question_expire(tn_call *call);
/** Under the wake's lock: whoever was asked has answered. */
void question_start_clock(tn_call *call);

/* ---- original.c ---- */

/** The original of a replaced function has answered: tell who stands for it. True if with that the
 * replaced call itself is answered. */
bool original_done(Calls *calls, tn_call *original);
/** Begin one that another thread wanted. True if the call it is wanted for is answered by it. */
bool original_begin(Calls *calls, tn_call *call);
/** The run is gone: what waits for an original gets a failure instead. True if it is held on to. */
bool original_cancelled(tn_call *call);

/* ---- references.c ---- */

void calls_release_objects(Calls *calls);

#endif
