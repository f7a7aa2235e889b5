/* References to URIs (RFC 3986, section 5), as names inside one document: nothing is ever fetched.
 */
#ifndef URI_H
#define URI_H

#include "arena.h"

typedef struct Uri {
    const char *text; /* without fragment */
    size_t length;
    const char *fragment; /* after "#", escapes undone; NULL without one */
    size_t fragment_length;
} Uri;

/**
 * What `reference` means beside `base` (which has no fragment), dots and all taken out.
 * Ownership: in the arena. Errors: false if the arena fails.
 */
bool uri_resolve(Arena *arena, const char *base, size_t base_length, const char *reference,
                 size_t length, Uri *out_uri);

#endif
