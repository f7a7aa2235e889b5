#include "kept.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct KeptBlock {
    struct KeptBlock *next;
    void *memory;
};

void *kept_take(Kept *kept, void *memory)
{
    struct KeptBlock *block = memory != NULL ? malloc(sizeof *block) : NULL;

    if (block == NULL) {
        free(memory);
        return NULL;
    }
    *block = (struct KeptBlock){kept->first, memory};
    kept->first = block;
    return memory;
}

void *kept_new(Kept *kept, size_t count, size_t size)
{
    return kept_take(kept, calloc(count, size));
}

char *kept_text(Kept *kept, const char *text, size_t length)
{
    return kept_take(kept, strndup(text, length));
}

char *kept_format(Kept *kept, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length >= 0 ? kept_take(kept, text) : NULL;
}

void kept_release(Kept *kept)
{
    while (kept->first != NULL) {
        struct KeptBlock *block = kept->first;
        kept->first = block->next;
        free(block->memory);
        free(block);
    }
}
