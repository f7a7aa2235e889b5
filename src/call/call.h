/* The call path: every way out of a realm is one call of this shape.
 *
 * A realm (or, later, a jail) is handed a CallPort and knows nothing of what is behind it. The path
 * itself (call.c) checks the budget, writes the journal, and asks the provider; a provider
 * implements Provider and knows nothing of realms. The invariant: no provider is reached but
 * through call_begin, and each call that began ends in exactly one call_end, before or after its
 * run.
 *
 * Reading order: this file, then calls.c (one run's calls), then value text in ../provide. */
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
