#include "keep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Kept {
    struct Kept *next;
    void *memory;
};

void *keep_take(Keep *keep, void *memory)
{
    struct Kept *kept = memory != NULL ? malloc(sizeof *kept) : NULL;

    if (kept == NULL) {
        free(memory);
        return NULL;
    }
    *kept = (struct Kept){keep->first, memory};
    keep->first = kept;
    return memory;
}

void *keep_new(Keep *keep, size_t count, size_t size)
{
    return keep_take(keep, calloc(count, size));
}

char *keep_text(Keep *keep, const char *text, size_t length)
{
    return keep_take(keep, strndup(text, length));
}

char *keep_format(Keep *keep, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length >= 0 ? keep_take(keep, text) : NULL;
}

void keep_release(Keep *keep)
{
    while (keep->first != NULL) {
        struct Kept *kept = keep->first;
        keep->first = kept->next;
        free(kept->memory);
        free(kept);
    }
}
