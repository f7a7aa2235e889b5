/* The engine's memory: the C library's allocator inside the guest, counted.
 *
 * The engine counts what it hands out and refuses above a limit (inside_limit); here we count what
 * stands behind that, for the peak, and note when the linear memory itself cannot grow. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

size_t malloc_usable_size(void *);

static void *count(void *block)
{
    if (!block) {
        tn_memory_refused = 1;
        return NULL;
    }
    guest.backing_bytes += malloc_usable_size(block);
    if (guest.backing_bytes > guest.backing_peak)
        guest.backing_peak = guest.backing_bytes;
    return block;
}

static void *memory_calloc(void *opaque, size_t number, size_t size)
{
    (void)opaque;
    return count(calloc(number, size));
}

static void *memory_malloc(void *opaque, size_t size)
{
    (void)opaque;
    return count(malloc(size));
}

static void memory_free(void *opaque, void *block)
{
    (void)opaque;
    if (block)
        guest.backing_bytes -= malloc_usable_size(block);
    free(block);
}

static void *memory_realloc(void *opaque, void *block, size_t size)
{
    (void)opaque;
    size_t old = block ? malloc_usable_size(block) : 0;
    void *moved = realloc(block, size);
    if (moved || size == 0)
        guest.backing_bytes -= old;
    return size == 0 ? NULL : count(moved);
}

static size_t memory_usable(const void *block)
{
    return malloc_usable_size((void *)(uintptr_t)block);
}

/* What our own code in the guest allocates is charged to the program as well. */
static void *memory_resize(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    (void)context, (void)old_bytes;
    return js_realloc_rt(guest.runtime, old, new_bytes);
}

bool memory_start(void)
{
    static const JSMallocFunctions functions = { memory_calloc, memory_malloc, memory_free,
                                                 memory_realloc, memory_usable };

    guest.runtime = JS_NewRuntime2(&functions, NULL);
    guest.allocator = (tn_allocator){ NULL, memory_resize };
    return guest.runtime != NULL;
}

/* Room that the image brings along, so that a small run never has to grow its memory. */
enum { HEADROOM_BYTES = 384 * 1024 };

void memory_freeze(void)
{
    void *room;

    JS_RunGC(guest.runtime);
    room = malloc(HEADROOM_BYTES);
    if (room)
        memset(room, 0, HEADROOM_BYTES);
    free(room);
    guest.base_bytes = inside_used(guest.runtime);
    guest.backing_base = guest.backing_peak = guest.backing_bytes;
    tn_memory_refused = 0;
}

void memory_limit(uint64_t bytes)
{
    uint64_t limit = bytes + guest.base_bytes;

    inside_limit(guest.runtime, limit < UINT32_MAX ? (size_t)limit : UINT32_MAX);
    guest.backing_peak = guest.backing_bytes;
    /* Collect cycles well before the limit is reached, however small it is. */
    uint64_t threshold = guest.base_bytes + (bytes < 512 * 1024 ? bytes / 2 : 256 * 1024);
    JS_SetGCThreshold(guest.runtime, (size_t)threshold);
}
