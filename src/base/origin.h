/*
 * Origins as grants name them: "https://api.example.com", "http://127.0.0.1:8080", "http://[::1]".
 * The host may be "*.example.com" (what is below example.com) or "*" (any).
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Origin {
    bool secure;
    bool below;       /* any host, or any that ends in `host`, which begins with a dot then */
    const char *host; /* as written; of an IPv6 address without its brackets */
    size_t length;
    unsigned port;
} Origin;

/** What is wrong with it, as the words after "expected"; NULL: nothing, and `*out_origin` is set.
 */
const char *origin_read(const char *text, size_t length, Origin *out_origin);

/** `host` in small letters, an IPv6 address without brackets. */
bool origin_covers(const Origin *origin, bool secure, const char *host, unsigned port);

#endif
