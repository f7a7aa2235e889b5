#include <stdbool.h>

#include "library.h"

#include <dlfcn.h>
#include <string.h>

bool library_open(Mhd *out_mhd)
{
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    bool all = library != NULL;

    if (!library)
        return false;
#define X(name)                                                                                    \
    {                                                                                              \
        void *function = dlsym(library, #name);                                                    \
        all &= function != NULL;                                                                   \
        memcpy(&out_mhd->name, &function, sizeof function);                                        \
    }
    MHD_FUNCTIONS(X)
#undef X
    return all;
}
