/*
 * Memory through a tn_allocator. Sizes are given back with the block, so that an allocator needs
 * no headers and a host can count to the byte.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <string.h>

#include "tenon.h"

/** Resize a block; NULL if refused, and `old` is then still valid. `new_bytes` is not 0. */
static inline void *memory_resize(const tn_allocator *allocator, void *old, size_t old_bytes,
                                  size_t new_bytes)
{
    return allocator->resize(allocator->context, old, old_bytes, new_bytes);
}

/** A new block of zeros; NULL if refused. `bytes` is not 0. */
static inline void *memory_new(const tn_allocator *allocator, size_t bytes)
{
    void *block = allocator->resize(allocator->context, NULL, 0, bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

/** Give a block back; NULL is nothing. */
static inline void memory_free(const tn_allocator *allocator, void *block, size_t bytes)
{
    if (block)
        (void)allocator->resize(allocator->context, block, bytes, 0);
}

/** The C library's allocator, for who passes none. Host only. */
const tn_allocator *memory_default(void);

#endif
