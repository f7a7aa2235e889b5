#include "yaml_lazy.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* Written once; outlives every engine. */
static struct {
    pthread_once_t once;
    bool usable;
    Yaml yaml;
} process = {.once = PTHREAD_ONCE_INIT};

static void open_once(void)
{
    void *library = dlopen("libyaml-0.so.2", RTLD_NOW | RTLD_LOCAL);
    void *function = library;

#define X(name)                                                                                    \
    function = function ? dlsym(library, #name) : NULL;                                            \
    memcpy(&process.yaml.name, &function, sizeof function);
    YAML_FUNCTIONS(X)
#undef X
    process.usable = function != NULL;
}

const Yaml *yaml_open(void)
{
    pthread_once(&process.once, open_once);
    return process.usable ? &process.yaml : NULL;
}
