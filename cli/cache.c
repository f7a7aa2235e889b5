#include "cache.h"

#include <stdio.h>
#include <stdlib.h>

bool cache_path(const char *name, char *out_path, size_t room)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;

    /* a relative one is to be ignored */
    if (cache != NULL && cache[0] == '/')
        length = snprintf(out_path, room, "%s/tenon/%s", cache, name);
    else if (home != NULL && home[0] == '/')
        length = snprintf(out_path, room, "%s/.cache/tenon/%s", home, name);
    return length >= 0 && (size_t)length < room;
}
