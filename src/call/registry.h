/* What an engine offers: its host functions and interfaces, each with a number and a provider. */
#ifndef TENON_REGISTRY_H
#define TENON_REGISTRY_H

#include "arena.h"
#include "buf.h"
#include "tenon.h"

/* How a function is implemented. Both run on the thread that drives the run. Since calls end in one
 * place, a provider needs to know nothing else. */
typedef struct Provider {
    void *context;
    /* Answers the call or defers it. */
    void (*invoke)(void *context, tn_call *call);
    /* Is the result what the function promises? If not, the call fails with the sentence that is
     * put into `out_why`. Not asked of errors, nor of what somebody else answered in its place.
     * NULL: it promises nothing. */
    bool (*accept)(void *context, tn_value result, Buf *out_why);
} Provider;

/* What of a call's arguments does not fit. Texts live as long as the arena that was given. */
typedef struct Misfit {
    const char *path, *expected, *got; /* path NULL: nobody can tell whether they fit, for the */
    const char *reason;
    const char *takes; /* what it takes, as it is declared: "(q: { repo: string })" */
} Misfit;

/* What a function takes, held against what it is called with. False: they do not fit. It may lower
 * the count: what is past it is not handed over. */
typedef struct ArgumentCheck {
    const void *context;
    bool (*fits)(const void *context, const tn_value *arguments, size_t *count, Arena *scratch,
                 Misfit *out_misfit); /* NULL: anything */
} ArgumentCheck;

/* Beside tn_function_flags: a function of the realm's own library ("fetch.get"), in no package that
 * programs see. */
enum { ENTRY_INSIDE = 1 << 30 };

typedef enum EntryKind { ENTRY_FUNCTION, ENTRY_INTERFACE, ENTRY_METHOD } EntryKind;

typedef struct RegistryEntry {
    EntryKind kind;
    const char *name; /* "package.function", "Interface", "Interface.method" */
    unsigned flags;
    uint32_t number; /* of functions and methods, in order; what the realm calls them by */
    Provider provider;
    ArgumentCheck check;
} RegistryEntry;

typedef struct Registry {
    Arena arena;
    RegistryEntry *entries;
    size_t count, capacity;
    uint32_t functions;
    RegistryEntry **by_number; /* set by registry_close */
    RegistryEntry **by_name;   /* functions and methods, sorted; the same */
} Registry;

void registry_init(Registry *registry, const tn_allocator *allocator);
void registry_release(Registry *registry);

/** Errors as tn_engine_add_function. */
tn_status registry_add(Registry *registry, EntryKind kind, const char *name, unsigned flags,
                       Provider provider);
/** The entries from `from` on come first; numbers follow. Before it is closed. TN_ERR_NOMEM. */
tn_status registry_first(Registry *registry, size_t from);
/** No more is added; functions can be found by number. TN_ERR_NOMEM. */
tn_status registry_close(Registry *registry);
/** A function or method by its name, once the registry is closed; NULL if there is none. */
const RegistryEntry *registry_function(const Registry *registry, const char *name);
bool registry_has(const Registry *registry, const char *name);
/** The registry's own copy of an interface's name; NULL if there is none of that name. */
const char *registry_interface(const Registry *registry, const char *name);

#endif
