/*
 * What a tn_writer is made of: for the one place that makes writers itself, the answers of host
 * calls. The bytes are a document of the profile with indefinite arrays and maps.
 */
#ifndef WRITER_H
#define WRITER_H

#include "cbor.h"

struct tn_writer {
    tn_allocator allocator;
    Buf buf;
    tn_status status; /* sticky; memory and limit are told by `buf` */
    unsigned depth;   /* containers open */
    unsigned depth_most;
    bool key_next;                             /* an object is innermost and wants a key */
    bool whole;                                /* one value is complete: nothing may follow */
    uint32_t shared;                           /* tags 28 so far */
    uint8_t is_object[CBOR_DEPTH_MAX / 8 + 1]; /* a bit for each open container */
};

/** For a writer inside something else. `limit_bytes` bounds what is written. */
void writer_init(tn_writer *writer, const tn_allocator *allocator, size_t limit_bytes);
void writer_release(tn_writer *writer);

/** Begin again, memory kept. */
void writer_clear(tn_writer *writer);

/** A writer of its own from an allocator. */
tn_status writer_new(const tn_allocator *allocator, size_t limit_bytes, tn_writer **out_writer);

/** TN_OK if exactly one whole value was written; else what went wrong first. */
tn_status writer_status(const tn_writer *writer);

/**
 * A value is about to be written straight into `buf`: may it stand here? After it, the writer
 * counts it as written; a container written whole is one value.
 */
bool writer_admit(tn_writer *writer);

/** Something is wrong with what was to be written; the first complaint stays. */
void writer_fail(tn_writer *writer, tn_status status);

#endif
