/*
 * Memory that dies together, up to a limit.
 *
 * Failure is sticky: an arena that was refused memory or met its limit gives NULL from then on.
 * What arenas hand out is zeroed. Built with TENON_HOSTILE, every block has a chunk of its own and
 * is poisoned when the arena is released, so that a use after that shows.
 */
#ifndef ARENA_H
#define ARENA_H

#include <stdarg.h>

#include "tenon.h"

typedef struct ArenaChunk ArenaChunk;

typedef struct Arena {
    const tn_allocator *allocator;
    ArenaChunk *chunk; /* the one being filled; older ones behind it */
    size_t used;       /* bytes of all chunks */
    size_t limit;
    bool failed;
    bool over_limit;
} Arena;

void arena_init(Arena *arena, const tn_allocator *allocator, size_t limit_bytes);
void arena_release(Arena *arena);

/** A block of zeros, aligned for anything. NULL once the arena failed. */
void *arena_push(Arena *arena, size_t bytes);

/** The same for `count` items, whose product may not fit. */
void *arena_push_array(Arena *arena, size_t count, size_t item_bytes);

/** A larger copy of a block of this arena; the old one stays as it is. */
void *arena_grow(Arena *arena, const void *old, size_t old_bytes, size_t new_bytes);

/** A copy that ends in NUL. */
char *arena_text(Arena *arena, const char *text, size_t length);
char *arena_string(Arena *arena, const char *string);

/** Formatted text. Use integers and strings only: floats would follow the host's locale. */
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** TN_OK, TN_ERR_LIMIT or TN_ERR_NOMEM. */
tn_status arena_status(const Arena *arena);

#define ARENA_NEW(arena, type)          ((type *)arena_push((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_push_array((arena), (count), sizeof(type)))

#endif
