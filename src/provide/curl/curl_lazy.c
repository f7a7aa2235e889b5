#define CURL_LAZY_ITSELF
#include "curl_lazy.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* The one thing that outlives every client; written once. */
static struct {
    pthread_once_t once;
    bool usable;
    Curl curl;
} process = {.once = PTHREAD_ONCE_INIT};

static void *find(void *library, const char *name, bool *all)
{
    void *function = dlsym(library, name);

    *all &= function != NULL;
    return function;
}

static void open_once(void)
{
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    bool all = library != NULL;

    if (!library)
        return;
#define X(name)                                                                                    \
    {                                                                                              \
        void *function = find(library, #name, &all);                                               \
        memcpy(&process.curl.name, &function, sizeof function);                                    \
    }
    CURL_FUNCTIONS(X)
#undef X
    process.usable = all && process.curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

const Curl *curl_open(void)
{
    pthread_once(&process.once, open_once);
    return process.usable ? &process.curl : NULL;
}
