/* An event stream (text/event-stream), cut into events wherever its pieces end. */
#ifndef TENON_SSE_H
#define TENON_SSE_H

#include "buf.h"

typedef struct Sse {
    Buf line; /* not whole */
    Buf data; /* of the event, each line with its end */
    Buf type;
    Buf id;            /* the last one; kept over events */
    uint64_t retry_ms; /* 0: not told */
    bool after_return; /* the last byte was a CR: a LF now is of the same end */
    bool begun;        /* past a byte order mark */
    bool over_limit;   /* some event was longer than is kept */
} Sse;

typedef struct SseSink {
    void *context;
    /** An event of the type "message". False: no more. */
    bool (*event)(void *context, const char *data, size_t length);
} SseSink;

void sse_init(Sse *sse, const tn_allocator *allocator, size_t event_bytes);
void sse_release(Sse *sse);
/** False: the sink wants no more, or an event was too long (`over_limit`). */
bool sse_feed(Sse *sse, const char *text, size_t length, const SseSink *sink);

#endif
