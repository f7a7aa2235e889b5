/* The engine's memory: the C library's allocator inside the guest.
 *
 * The engine counts what it hands out and refuses above a limit (inside_limit). It asks here for
 * whole blocks only, so this is where the peak is looked at cheaply, and where it is noted that the
 * linear memory itself cannot grow. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

size_t malloc_usable_size(void *);

size_t memory_used(void)
{
    size_t used = inside_used(guest.runtime);

    return used > guest.base_bytes ? used - guest.base_bytes : 0;
}

size_t memory_peak(void)
{
    size_t used = memory_used();

    return used > guest.peak_bytes ? used : guest.peak_bytes;
}

/* A block was handed out (or not). The engine counts it, or what it cuts from it, right after. */
static void *note(void *block, size_t size)
{
    enum { ENGINE_ARENA_BYTES = 4096 };

    if (!block)
        tn_memory_refused = 1;
    else if (guest.runtime) {
        size_t used = memory_used() + (size > ENGINE_ARENA_BYTES ? size : 0);
        if (used > guest.peak_bytes)
            guest.peak_bytes = used;
    }
    return block;
}

static void *memory_calloc(void *opaque, size_t number, size_t size)
{
    (void)opaque;
    return note(calloc(number, size), number * size);
}

static void *memory_malloc(void *opaque, size_t size)
{
    (void)opaque;
    return note(malloc(size), size);
}

static void memory_free(void *opaque, void *block)
{
    (void)opaque;
    free(block);
}

static void *memory_realloc(void *opaque, void *block, size_t size)
{
    size_t old = block ? malloc_usable_size(block) : 0;
    (void)opaque;

    if (size == 0) {
        free(block);
        return NULL;
    }
    return note(realloc(block, size), size > old ? size - old : 0);
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
    static const JSMallocFunctions functions = {memory_calloc, memory_malloc, memory_free,
                                                memory_realloc, memory_usable};

    guest.runtime = JS_NewRuntime2(&functions, NULL);
    guest.allocator = (tn_allocator){NULL, memory_resize};
    return guest.runtime != NULL;
}

/* Room that the image brings along, so that a small run never has to grow its memory. */
enum { HEADROOM_BYTES = 384 * 1024 };

void memory_freeze(void)
{
    void *room;

    JS_RunGC(guest.runtime);
    inside_make_room(guest.context);
    room = malloc(HEADROOM_BYTES);
    if (room)
        memset(room, 0, HEADROOM_BYTES);
    free(room);
    guest.base_bytes = inside_used(guest.runtime);
    guest.peak_bytes = 0;
    tn_memory_refused = 0;
}

void memory_limit(uint64_t bytes)
{
    uint64_t limit = bytes + guest.base_bytes;

    inside_limit(guest.runtime, limit < UINT32_MAX ? (size_t)limit : UINT32_MAX);
    guest.peak_bytes = 0;
    /* Collect cycles well before the limit is reached, however small it is. */
    uint64_t threshold = guest.base_bytes + (bytes < 512 * 1024 ? bytes / 2 : 256 * 1024);
    JS_SetGCThreshold(guest.runtime, (size_t)threshold);
}
