/* May a place be reached? The path is compared as a careful server reads it; where servers differ
 * about what it means (encoded slashes and dots), it fits no grant that names a path. */
#include <stdio.h>
#include <strings.h>

#include "http_inside.h"

enum { DECODINGS_MOST = 4 };

static int hex_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Percent signs taken out once, in place, but for those of NUL. True if there were any. */
static bool decode(char *text)
{
    char *to = text;
    bool any = false;

    for (const char *at = text; *at; at++) {
        int high = *at == '%' ? hex_of(at[1]) : -1, low = high >= 0 ? hex_of(at[2]) : -1;
        if (low >= 0 && (high | low) != 0) {
            *to++ = (char)(high << 4 | low);
            at += 2;
            any = true;
        } else {
            *to++ = *at;
        }
    }
    *to = 0;
    return any;
}

/* A segment that is "." or "..", also with parameters behind it ("..;x"). */
static bool has_dots(const char *path)
{
    while (*path) {
        path += *path == '/';
        size_t length = strcspn(path, "/"), name = strcspn(path, "/;");
        if ((name == 1 && path[0] == '.') || (name == 2 && path[0] == '.' && path[1] == '.'))
            return true;
        path += length;
    }
    return false;
}

static size_t slashes(const char *path)
{
    size_t count = 0;

    for (; *path; path++)
        count += *path == '/';
    return count;
}

/* The path with its percent signs taken out; NULL if it may mean another one somewhere. */
static const char *plain_path(Arena *arena, const char *path)
{
    char *plain = arena_string(arena, path), *further;
    size_t count = slashes(path);

    if (!plain)
        return NULL;
    (void)decode(plain);
    further = arena_string(arena, plain);
    for (unsigned i = 0; further && i < DECODINGS_MOST; i++) {
        if (slashes(further) != count || strchr(further, '\\') || has_dots(further))
            return NULL;
        if (!decode(further))
            return plain;
    }
    return NULL;
}

/* "/v1/": what begins so. "/v1": that, and what is below it. */
static bool path_covered(const char *granted, const char *plain)
{
    size_t length = granted ? strlen(granted) : 0;

    if (length == 0 || strcmp(granted, "/") == 0)
        return true;
    return plain && strncmp(plain, granted, length) == 0 &&
           (granted[length - 1] == '/' || !plain[length] || plain[length] == '/');
}

static bool method_covered(const HttpGrant *grant, const char *method)
{
    for (size_t i = 0; i < grant->method_count; i++) {
        if (strcmp(grant->methods[i], method) == 0)
            return true;
    }
    return grant->method_count == 0;
}

static void explain(const HttpRequest *request, const Place *place, const char *method,
                    const char *near, Arena *arena, const char **out_why)
{
    Buf list;

    buf_init(&list, arena->allocator, 600);
    for (size_t i = 0; i < request->grant_count; i++) {
        buf_append_string(&list, i ? ", " : "");
        buf_append_string(&list, request->grants[i].origin);
    }
    buf_append_byte(&list, 0);
    *out_why = arena_printf(
        arena, "%s %s is not granted: %s%s%s%s", method, place_origin(arena, place),
        near                   ? near
        : request->grant_count ? "granted are "
                               : "no origin is",
        near || !request->grant_count ? ""
        : list.failed                 ? "others"
                                      : (const char *)list.data,
        request->missing_grant ? "; " : "", request->missing_grant ? request->missing_grant : "");
    buf_release(&list);
}

const HttpGrant *grant_find(const HttpRequest *request, const Place *place, const char *method,
                            Arena *arena, const char **out_why)
{
    const char *plain = plain_path(arena, place->path), *near = NULL;

    for (size_t i = 0; i < request->grant_count; i++) {
        const HttpGrant *grant = &request->grants[i];
        Origin origin;
        if (origin_read(grant->origin, strlen(grant->origin), &origin) ||
            !origin_covers(&origin, place->secure, place->host, place->port))
            continue;
        if (!path_covered(grant->path, plain)) {
            if (!near)
                near = plain ? arena_printf(arena, "of this origin, paths that begin with %s are",
                                            grant->path)
                             : "its path may be read in more than one way";
        } else if (!method_covered(grant, method)) {
            near = arena_printf(arena, "of this place, other methods are (%s%s)", grant->methods[0],
                                grant->method_count > 1 ? ", ..." : "");
        } else {
            return grant;
        }
    }
    explain(request, place, method, near, arena, out_why);
    return NULL;
}
