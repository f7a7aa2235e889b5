#include "arena.h"

#include <stdalign.h>
#include <stdio.h>

#include "memory.h"

struct ArenaChunk {
    ArenaChunk *before;
    size_t bytes; /* of the whole chunk, this head included */
    size_t filled;
    alignas(max_align_t) uint8_t place[];
};

#ifdef TENON_HOSTILE
enum { chunk_bytes_first = 0, chunk_bytes_most = 0 };
#else
enum { chunk_bytes_first = 1024, chunk_bytes_most = 256 * 1024 };
#endif

void arena_init(Arena *arena, const tn_allocator *allocator, size_t limit_bytes)
{
    *arena = (Arena){.allocator = allocator, .limit = limit_bytes};
}

void arena_release(Arena *arena)
{
    ArenaChunk *chunk = arena->chunk;

    while (chunk) {
        ArenaChunk *before = chunk->before;
        size_t bytes = chunk->bytes;
#ifdef TENON_HOSTILE
        memset(chunk, 0xA5, bytes);
#endif
        memory_free(arena->allocator, chunk, bytes);
        chunk = before;
    }
    arena->chunk = NULL;
    arena->used = 0;
}

/* A chunk with room for `bytes`. They double in size, so that few are needed; the limit is kept by
 * asking for less when there is less left. */
static bool add_chunk(Arena *arena, size_t bytes)
{
    size_t left = arena->limit > arena->used ? arena->limit - arena->used : 0;

    if (left < sizeof(ArenaChunk) || bytes > left - sizeof(ArenaChunk)) {
        arena->failed = arena->over_limit = true;
        return false;
    }
    size_t wanted = arena->chunk ? arena->chunk->bytes * 2 : chunk_bytes_first;
    if (wanted > chunk_bytes_most)
        wanted = chunk_bytes_most;
    if (wanted > left)
        wanted = left;
    if (wanted < sizeof(ArenaChunk) + bytes)
        wanted = sizeof(ArenaChunk) + bytes;

    ArenaChunk *chunk = memory_resize(arena->allocator, NULL, 0, wanted);
    if (!chunk) {
        arena->failed = true;
        return false;
    }
    *chunk = (ArenaChunk){.before = arena->chunk, .bytes = wanted};
    arena->chunk = chunk;
    arena->used += wanted;
    return true;
}

void *arena_push(Arena *arena, size_t bytes)
{
    const size_t align = alignof(max_align_t);

    if (arena->failed)
        return NULL;
    if (bytes > SIZE_MAX / 2) {
        arena->failed = arena->over_limit = true;
        return NULL;
    }
    bytes = bytes == 0 ? align : (bytes + align - 1) / align * align;
    ArenaChunk *chunk = arena->chunk;
    if (!chunk || chunk->bytes - sizeof(ArenaChunk) - chunk->filled < bytes) {
        if (!add_chunk(arena, bytes))
            return NULL;
        chunk = arena->chunk;
    }
    void *block = chunk->place + chunk->filled;
    chunk->filled += bytes;
    return memset(block, 0, bytes);
}

void *arena_push_array(Arena *arena, size_t count, size_t item_bytes)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, item_bytes, &bytes))
        bytes = SIZE_MAX;
    return arena_push(arena, bytes);
}

void *arena_grow(Arena *arena, const void *old, size_t old_bytes, size_t new_bytes)
{
    void *block = arena_push(arena, new_bytes);

    if (block && old_bytes > 0)
        memcpy(block, old, old_bytes < new_bytes ? old_bytes : new_bytes);
    return block;
}

char *arena_text(Arena *arena, const char *text, size_t length)
{
    char *copy = length == SIZE_MAX ? NULL : arena_push(arena, length + 1);

    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *arena_string(Arena *arena, const char *string)
{
    return arena_text(arena, string, strlen(string));
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0)
        text = arena_push(arena, (size_t)length + 1);
    if (text) {
        va_start(arguments, format);
        (void)vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}

tn_status arena_status(const Arena *arena)
{
    if (arena->over_limit)
        return TN_ERR_LIMIT;
    return arena->failed ? TN_ERR_NOMEM : TN_OK;
}
