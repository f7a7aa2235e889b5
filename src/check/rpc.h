/*
 * JSON-RPC over a socket: framed messages (Content-Length), one question at a time, each with a
 * deadline. While we wait for an answer the other side may ask us things: files of the virtual
 * world it works in.
 */
#ifndef RPC_H
#define RPC_H

#include "json_tape.h"

/** Answer a question of the other side: append one JSON value to `out`. */
typedef void RpcAsked(void *context, const Tape *tape, uint32_t method, uint32_t params, Buf *out);

/** The deadline has come: is that the end? If not, set it anew. */
typedef bool RpcOver(void *context, uint64_t *deadline_ns);

typedef struct Rpc {
    int socket;
    RpcAsked *asked;
    void *asked_context;
    RpcOver *over;
    void *over_context;
    uint64_t deadline_ns;
    Buf in;
    size_t in_at;
    Buf out;
    size_t out_at;
    uint32_t next_id;
    bool waiting; /* for an answer: what comes next belongs to a question before */
    size_t body;  /* of the answer last received */
    size_t body_length;
} Rpc;

void rpc_init(Rpc *rpc, const tn_allocator *allocator, size_t limit_bytes);
void rpc_release(Rpc *rpc);

/** A stage failed on our side: forget what was not yet sent. False if the other side is in the
 * middle of something, so that the connection is of no more use. */
bool rpc_rest(Rpc *rpc);

/** Begin a question: its parameters, one JSON value, are to be appended to the Buf. */
Buf *rpc_begin(Rpc *rpc, const char *method, size_t *out_mark);
/** End it: it leaves with the next rpc_answer. Returns its number. */
uint32_t rpc_end(Rpc *rpc, size_t mark);

/**
 * Wait for the answer to a question. Answers to others, asked before, are passed over.
 *
 * Ownership: release `out_tape` in every case; it borrows from `rpc` until the next call. The
 *            result is token `*out_result`.
 * Errors:    TN_ERR_LIMIT (time is over), TN_ERR_STATE (the other side is gone, or speaks
 *            something else), TN_ERR_ARGUMENT (it says that the question was wrong), TN_ERR_NOMEM.
 */
tn_status rpc_answer(Rpc *rpc, uint32_t id, Tape *out_tape, uint32_t *out_result);

/** A string as JSON. */
void rpc_put_string(Buf *buf, const char *text, size_t length);

#endif
