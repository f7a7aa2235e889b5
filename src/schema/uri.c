#include "uri.h"

#include <string.h>

/* Where the parts of a URI begin: scheme ":" "//" authority path "?" query. */
typedef struct Parts {
    size_t scheme;    /* bytes, with its colon; 0 without one */
    size_t authority; /* end of it */
    size_t path;      /* end of it */
    size_t length;
} Parts;

static Parts split(const char *text, size_t length)
{
    Parts parts = {.length = length};
    size_t at = 0;

    while (at < length && !strchr("/?#:", text[at]))
        at++;
    if (at < length && text[at] == ':' && at > 0)
        parts.scheme = at + 1;
    at = parts.scheme;
    if (length - at >= 2 && text[at] == '/' && text[at + 1] == '/') {
        at += 2;
        while (at < length && text[at] != '/' && text[at] != '?')
            at++;
    }
    parts.authority = at;
    while (at < length && text[at] != '?')
        at++;
    parts.path = at;
    return parts;
}

/* remove_dot_segments, in place from `begin` on; returns the new length of that path. */
static size_t remove_dots(char *path, size_t length)
{
    size_t to = 0;

    for (size_t at = 0; at < length;) {
        size_t end = at + 1;
        while (end < length && path[end] != '/')
            end++;
        size_t from = at + (path[at] == '/');
        bool dot = end - from == 1 && path[from] == '.';
        bool dots = end - from == 2 && path[from] == '.' && path[from + 1] == '.';
        if (dots) {
            while (to > 0 && path[to - 1] != '/')
                to--;
            to -= to > 0;
        }
        if (dot || dots) {
            if (end == length && path[at] == '/')
                path[to++] = '/';
        } else {
            memmove(path + to, path + at, end - at);
            to += end - at;
        }
        at = end;
    }
    return to;
}

static unsigned hex(char c)
{
    return c >= '0' && c <= '9'                 ? (unsigned)(c - '0')
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (unsigned)((c | 32) - 'a' + 10)
                                                : 16;
}

static bool take_fragment(Arena *arena, const char *text, size_t length, Uri *out)
{
    char *fragment = arena_text(arena, text, length);
    size_t to = 0;

    if (!fragment)
        return false;
    for (size_t at = 0; at < length; at++) {
        if (text[at] == '%' && length - at > 2 && hex(text[at + 1]) < 16 &&
            hex(text[at + 2]) < 16) {
            fragment[to++] = (char)(hex(text[at + 1]) << 4 | hex(text[at + 2]));
            at += 2;
        } else {
            fragment[to++] = text[at];
        }
    }
    out->fragment = fragment;
    out->fragment_length = to;
    return true;
}

bool uri_resolve(Arena *arena, const char *base, size_t base_length, const char *reference,
                 size_t length, Uri *out_uri)
{
    const char *hash = memchr(reference, '#', length);
    Uri uri = {.text = base, .length = base_length};

    if (hash && !take_fragment(arena, hash + 1, length - (size_t)(hash - reference) - 1, &uri))
        return false;
    if (hash)
        length = (size_t)(hash - reference);
    if (length > 0) {
        Parts own = split(reference, length), old = split(base, base_length);
        char *text = arena_push(arena, base_length + length + 2);
        size_t keep = own.scheme > 0 ? 0 : own.authority > 0 ? old.scheme : old.authority;
        if (!text)
            return false;
        memcpy(text, base, keep);
        memcpy(text + keep, reference, own.authority);
        size_t path = keep + own.authority, end = path;
        bool whole = own.scheme > 0 || own.authority > 0 || reference[own.authority] == '/';
        if (!whole) {
            size_t kept = old.path;
            if (own.path > own.authority) { /* the last segment gives way */
                while (kept > old.authority && base[kept - 1] != '/')
                    kept--;
            }
            memcpy(text + end, base + old.authority, kept - old.authority);
            end += kept - old.authority;
            if (end == path && old.authority > old.scheme && own.path > own.authority)
                text[end++] = '/';
        }
        memcpy(text + end, reference + own.authority, own.path - own.authority);
        end += own.path - own.authority;
        if (own.scheme == 0 || (end > path && text[path] == '/'))
            end = path + remove_dots(text + path, end - path);
        memcpy(text + end, reference + own.path, length - own.path);
        uri.text = text;
        uri.length = end + length - own.path;
    }
    *out_uri = uri;
    return true;
}
