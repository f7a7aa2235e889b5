/*
 * One compiler process, spoken to: what its programming interface is asked, and how a check is put
 * to it.
 */
#ifndef COMPILER_H
#define COMPILER_H

#include "hash.h"
#include "library.h"
#include "process.h"
#include "provider.h"
#include "rpc.h"

enum { PROJECT_PATH_MAX_BYTES = 64 };

/* Sets of declarations that are remembered to be right. */
enum { CLEAN_SETS = 16 };

typedef struct Compiler {
    Process process;
    Rpc rpc;
    bool busy;
    unsigned serial; /* of the project that is open */
    char config[PROJECT_PATH_MAX_BYTES];
    char program[PROJECT_PATH_MAX_BYTES];
    unsigned snapshot;
    unsigned checks;
    char clean[CLEAN_SETS][HASH_HEX_BYTES]; /* by their hash; the next one takes the oldest place */
    unsigned next_clean;
    uint32_t time_ms;
    double began_cpu_ms;
    uint64_t began_ns;
} Compiler;

/** What to start it with: `tsc` and what follows. */
extern const char *const compiler_arguments[];

/** Begin to speak with a process that was just started. */
void compiler_init(Compiler *compiler, const tn_allocator *allocator);

/** End it. `memory_bytes` is what it was allowed. */
ProcessEnd compiler_end(Compiler *compiler, uint64_t memory_bytes);

/** Is there one, and is it ours? */
bool compiler_is_open(const Compiler *compiler);

/** What follows may take so long. */
void compiler_begin_clock(Compiler *compiler, uint32_t time_ms);

/** The first thing to be said to it. */
tn_status compiler_initialize(Compiler *compiler);

/**
 * Put one check to it.
 *
 * Errors: as rpc_answer; then `rpc.waiting` tells whether it can be spoken to again.
 */
tn_status compiler_check(Compiler *compiler, const Library *library, const HashKey *key,
                         Arena *arena, const ProviderJob *job, ProviderReply *reply);

#endif
