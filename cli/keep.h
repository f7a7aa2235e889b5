/* Memory that is needed until one piece of work is done, and freed all at once. */
#ifndef TENON_CLI_KEEP_H
#define TENON_CLI_KEEP_H

#include <stddef.h>

/* Zero it to begin. Out of memory is NULL, from every one of these. */
typedef struct Keep {
    struct Kept *first;
} Keep;

/* Take what malloc gave: it is freed with the rest, or at once if that cannot be noted. */
void *keep_take(Keep *keep, void *memory);
void *keep_new(Keep *keep, size_t count, size_t size); /* zeroed */
char *keep_text(Keep *keep, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) char *keep_format(Keep *keep, const char *format, ...);
void keep_release(Keep *keep);

#endif
