/* The call path: every way out of a realm is one call of this shape.
 *
 * A realm (or, later, a jail) is handed a CallPort and knows nothing of what is behind it; a
 * provider implements Provider and knows nothing of realms. In between a call goes, in this order:
 *
 *   budget     calls in all, bytes held                       calls.c
 *   journal    "asked": from here on it is on record          calls.c
 *   policy     bound arguments, allow, ask, deny, limits      govern.c
 *   arguments  do they fit what the function takes? arguments.c
 *   question   somebody says yes or no, now or later          question.c
 *   turn       calls in flight                                calls.c
 *   override   what runs in its place, if anything            calls.c, original.c
 *   provider   answers at once, or later from any thread      held_call.c
 *   result     is it what the function promises?              answer.c
 *   journal    "answered", "failed" or "denied"               calls.c
 *
 * The invariant: no provider is reached but through `dispatch` in calls.c, which only calls come to
 * that the journal knows and the policy let through; and each call ends exactly once, before or
 * after its run.
 *
 * Reading order: this file, registry.h (what there is to call), tn_call.h (one call), calls.h (one
 * run's), then the files above in their order. */
#ifndef TENON_CALL_H
#define TENON_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CallAnswer {
    CALL_ANSWER_VALUE,   /* the reply is a value */
    CALL_ANSWER_ERROR,   /* the reply describes an error */
    CALL_ANSWER_PENDING, /* it will be delivered; call_id names it */
    CALL_ANSWER_STOP     /* the budget is used up: end the run */
} CallAnswer;

/* Borrowed by the callee for the call. */
typedef struct CallRequest {
    uint32_t function;
    uint32_t object, generation; /* the subject of a method; 0: none */
    uint32_t line;               /* of the program */
    const uint8_t *arguments;    /* for each: four bytes of length, then that much CBOR */
    size_t length;
    uint64_t
        *wall_deadline_ns; /* of this stay in the realm: put off while people are asked; or NULL */
} CallRequest;

/* Borrowed by the caller until the next call. */
typedef struct CallReply {
    CallAnswer answer;
    uint32_t call_id;
    const uint8_t *bytes;
    size_t length;
} CallReply;

typedef struct CallPort {
    void *context;
    void (*call)(void *context, const CallRequest *request, CallReply *out_reply);
} CallPort;

#endif
