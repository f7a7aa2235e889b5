/*
 * Bytes that grow, up to a limit.
 *
 * Failure is sticky: a Buf that was refused memory (`failed`) or was to grow past its limit
 * (`failed` and `over_limit`) keeps what it has and ignores every later append.
 */
#ifndef BUF_H
#define BUF_H

#include "tenon.h"

typedef struct Buf {
    const tn_allocator *allocator;
    uint8_t *data; /* NULL while nothing was appended */
    size_t length;
    size_t capacity;
    size_t limit; /* in bytes; SIZE_MAX for none */
    bool failed;
    bool over_limit;
} Buf;

void buf_init(Buf *buf, const tn_allocator *allocator, size_t limit_bytes);
void buf_release(Buf *buf);

/** Forget the contents and the failure; keep the memory. */
void buf_clear(Buf *buf);

/** Room for `more` bytes without another allocation. False if that fails. */
bool buf_reserve(Buf *buf, size_t more);

/** Grow by `bytes` and hand out the place to fill; NULL if that fails. */
uint8_t *buf_extend(Buf *buf, size_t bytes);

void buf_append(Buf *buf, const void *bytes, size_t length);
void buf_append_byte(Buf *buf, uint8_t byte);
void buf_append_string(Buf *buf, const char *string);
void buf_append_uint(Buf *buf, uint64_t decimal);

/** Cut back to `length` bytes, which is not more than there are. */
void buf_truncate(Buf *buf, size_t length);

/** TN_OK, TN_ERR_LIMIT or TN_ERR_NOMEM: how the appends so far went. */
tn_status buf_status(const Buf *buf);

/** Move the memory out: free it with `*out_capacity` bytes. NULL if empty. */
uint8_t *buf_take(Buf *buf, size_t *out_length, size_t *out_capacity);

#endif
