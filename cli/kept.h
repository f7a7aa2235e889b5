/* Memory that is needed until one piece of work is done, and freed all at once. */
#ifndef TENON_CLI_KEPT_H
#define TENON_CLI_KEPT_H

#include <stddef.h>

/* Zero it to begin. Out of memory is NULL, from every one of these. */
typedef struct Kept {
    struct KeptBlock *first;
} Kept;

/* Take what malloc gave: it is freed with the rest, or at once if that cannot be noted. */
void *kept_take(Kept *kept, void *memory);
void *kept_new(Kept *kept, size_t count, size_t size); /* zeroed */
char *kept_text(Kept *kept, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) char *kept_format(Kept *kept, const char *format, ...);
void kept_release(Kept *kept);

#endif
