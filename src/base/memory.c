#include "memory.h"

#include <stdlib.h>

static void *libc_resize(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    (void)context;
    (void)old_bytes;
    if (new_bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_bytes);
}

const tn_allocator *memory_default(void)
{
    static const tn_allocator libc = {.context = NULL, .resize = libc_resize};
    return &libc;
}
