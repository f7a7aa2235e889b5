/* The pool: processes are begun when a check finds none idle, up to a number; a check has one for
 * itself. What goes over its limits is ended, and the next check begins another. */
#include "tsc.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base.h"
#include "compiler.h"
#include "confine.h"
#include "memory.h"

enum {
    PROCESSES_MAX = 16,
    CHECKS_BETWEEN_LOOKS = 64, /* at the memory that a process holds */
    FAILURES_MAX = 2,          /* of a program that never became ready: it is no compiler of ours */
    START_MS = 4000,           /* to begin and read the library; five times that if it sleeps */
};

typedef struct Tsc {
    Provider base;
    tn_allocator allocator;
    char *path;
    size_t path_bytes;
    uint32_t time_ms;
    uint64_t memory_bytes;
    HashKey key;
    pid_t owner;          /* a child that the host forks begins anew */
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t idle;
    bool absent; /* there is no compiler, or one that we cannot speak to: it was tried */
    bool proved; /* one became ready once */
    unsigned failures;
    Library library;
    Keeper keeper;
    unsigned walls; /* of the process last begun */
    unsigned count;
    Compiler compilers[PROCESSES_MAX];
} Tsc;

/* ---- beginning one ---- */

static tn_status begin_process(Tsc *tsc, Compiler *compiler)
{
    char memory[48];
    const char *const environment[] = {memory, "GOGC=200", "GOTRACEBACK=none", NULL};
    ProcessOrder order = {tsc->path, compiler_arguments, environment, tsc->memory_bytes};

    snprintf(memory, sizeof memory, "GOMEMLIMIT=%llu",
             (unsigned long long)(tsc->memory_bytes - tsc->memory_bytes / 4));
    if (tsc->library.text.length == 0) {
        tn_status status = library_load(&tsc->library, tsc->path);
        if (status != TN_OK) {
            buf_clear(&tsc->library.text);
            return status;
        }
    }
    compiler->process = PROCESS_NONE;
    TRY(keeper_start(&tsc->keeper, &order, &compiler->process));
    tsc->walls = compiler->process.walls;
    return TN_OK;
}

/* A first, empty check makes it read the library. */
static tn_status make_ready(Tsc *tsc, Compiler *compiler)
{
    static const ProviderJob nothing = {.text = "", .length = 0};
    ProviderReply reply = {0};
    Arena arena;

    compiler_init(compiler, &tsc->allocator);
    compiler_begin_clock(compiler, START_MS);
    arena_init(&arena, &tsc->allocator, 1 << 20);
    tn_status status = compiler_initialize(compiler);
    if (status == TN_OK)
        status = compiler_check(compiler, &tsc->library, &tsc->key, &arena, &nothing, &reply);
    arena_release(&arena);
    if (status != TN_OK)
        (void)compiler_end(compiler, tsc->memory_bytes);
    return status == TN_ERR_NOMEM ? status : status == TN_OK ? TN_OK : TN_ERR_UNAVAILABLE;
}

/* ---- the pool ---- */

/* The caller holds the lock. An open one if there is one. */
static Compiler *find_idle(Tsc *tsc)
{
    Compiler *found = NULL;

    for (unsigned i = 0; i < tsc->count; i++) {
        Compiler *compiler = &tsc->compilers[i];
        if (!compiler->busy && (!found || (compiler_is_open(compiler) && !compiler_is_open(found))))
            found = compiler;
    }
    return found;
}

/* In a child that the host forked: its parent's threads, and what they hold and wait for, are not
 * here. */
static void begin_anew_after_fork(Tsc *tsc)
{
    if (tsc->owner == getpid())
        return;
    tsc->owner = getpid();
    pthread_mutex_init(&tsc->lock, NULL);
    pthread_cond_init(&tsc->idle, NULL);
    for (unsigned i = 0; i < tsc->count; i++)
        tsc->compilers[i].busy = false;
}

static tn_status take_compiler(Tsc *tsc, Compiler **out_compiler)
{
    Compiler *compiler;
    tn_status status = TN_OK;

    begin_anew_after_fork(tsc);
    pthread_mutex_lock(&tsc->lock);
    while (!tsc->absent && !(compiler = find_idle(tsc)))
        pthread_cond_wait(&tsc->idle, &tsc->lock);
    if (tsc->absent) {
        pthread_mutex_unlock(&tsc->lock);
        return TN_ERR_UNAVAILABLE;
    }
    compiler->busy = true;
    bool fresh = !compiler_is_open(compiler);
    if (fresh) {
        /* what a forked child of the host inherited is not its own */
        (void)compiler_end(compiler, tsc->memory_bytes);
        status = begin_process(tsc, compiler);
        if (status == TN_ERR_NOT_FOUND) {
            tsc->absent = true;
            status = TN_ERR_UNAVAILABLE;
            pthread_cond_broadcast(&tsc->idle);
        }
    }
    if (status != TN_OK)
        compiler->busy = false;
    pthread_mutex_unlock(&tsc->lock);
    if (status == TN_OK && fresh)
        status = make_ready(tsc, compiler);
    if (status == TN_OK && fresh) {
        pthread_mutex_lock(&tsc->lock);
        tsc->proved = true;
        pthread_mutex_unlock(&tsc->lock);
    }
    if (status == TN_OK) {
        *out_compiler = compiler;
        return TN_OK;
    }
    if (compiler->busy) {
        pthread_mutex_lock(&tsc->lock);
        compiler->busy = false;
        /* of another version: it would say the same each time, after a while */
        if (status == TN_ERR_UNAVAILABLE && !tsc->proved && ++tsc->failures == FAILURES_MAX)
            tsc->absent = true;
        pthread_cond_broadcast(&tsc->idle);
        pthread_mutex_unlock(&tsc->lock);
    }
    return status;
}

/* It keeps something of every program (some 30 KB): now and then one is replaced. */
static void give_compiler(Tsc *tsc, Compiler *compiler)
{
    bool looked_at = compiler->checks % CHECKS_BETWEEN_LOOKS == 0;

    if (looked_at && process_resident_bytes(&compiler->process) > tsc->memory_bytes / 3)
        (void)compiler_end(compiler, tsc->memory_bytes);
    pthread_mutex_lock(&tsc->lock);
    compiler->busy = false;
    pthread_cond_signal(&tsc->idle);
    pthread_mutex_unlock(&tsc->lock);
}

/* ---- operations ---- */

static tn_status check_once(Tsc *tsc, Arena *arena, const ProviderJob *job, ProviderReply *reply,
                            bool *out_was_dead)
{
    Compiler *compiler;

    *out_was_dead = false;
    *reply = (ProviderReply){0};
    TRY(take_compiler(tsc, &compiler));
    compiler_begin_clock(compiler, tsc->time_ms);
    unsigned snapshot = compiler->snapshot;
    tn_status status = compiler_check(compiler, &tsc->library, &tsc->key, arena, job, reply);
    if (status == TN_ERR_LIMIT && compiler->rpc.waiting) {
        (void)compiler_end(compiler, tsc->memory_bytes);
        reply->limit = CHECK_LIMIT_TIME;
    } else if (status == TN_ERR_STATE) {
        /* it is gone; if that was before this check, or it met no limit, the program is not to
         * blame unless it happens again */
        bool before = compiler->snapshot == snapshot && compiler->checks > 1;
        ProcessEnd end = compiler_end(compiler, tsc->memory_bytes);
        *out_was_dead = before || end == PROCESS_ENDED;
        reply->limit = end == PROCESS_OVER_CPU ? CHECK_LIMIT_TIME : CHECK_LIMIT_MEMORY;
        status = TN_ERR_LIMIT;
    } else if (status != TN_OK) {
        if (!rpc_rest(&compiler->rpc))
            (void)compiler_end(compiler, tsc->memory_bytes);
        status = status == TN_ERR_ARGUMENT ? TN_ERR_SYSTEM : status;
    }
    give_compiler(tsc, compiler);
    return status;
}

static tn_status tsc_check(Provider *provider, Arena *arena, const ProviderJob *job,
                           ProviderReply *out_reply)
{
    Tsc *tsc = (Tsc *)provider;
    bool was_dead;
    tn_status status = check_once(tsc, arena, job, out_reply, &was_dead);

    if (status == TN_ERR_LIMIT && was_dead)
        status = check_once(tsc, arena, job, out_reply, &was_dead);
    return status;
}

static tn_status tsc_warm(Provider *provider)
{
    Tsc *tsc = (Tsc *)provider;
    Compiler *compiler;

    TRY(take_compiler(tsc, &compiler));
    give_compiler(tsc, compiler);
    return TN_OK;
}

static void tsc_describe(Provider *provider, Buf *out)
{
    static const struct {
        unsigned wall;
        const char *name;
    } walls[] = {
        {CONFINE_RLIMITS, "limits"},           {CONFINE_POWERS, "no powers"},
        {CONFINE_NAMESPACES, "no network"},    {CONFINE_LANDLOCK, "no files"},
        {CONFINE_SECCOMP, "few system calls"},
    };
    Tsc *tsc = (Tsc *)provider;

    pthread_mutex_lock(&tsc->lock);
    bool absent = tsc->absent;
    unsigned standing = tsc->walls;
    pthread_mutex_unlock(&tsc->lock);
    buf_append_string(out, absent ? "there is no compiler that can be used at "
                                  : "the TypeScript compiler at ");
    buf_append_string(out, tsc->path);
    if (absent || !standing)
        return;
    const char *between = ", in a jail (";
    for (size_t i = 0; i < COUNT_OF(walls); i++) {
        if (!(standing & walls[i].wall))
            continue;
        buf_append_string(out, between);
        buf_append_string(out, walls[i].name);
        between = ", ";
    }
    buf_append_byte(out, ')');
}

static void tsc_free(Provider *provider)
{
    Tsc *tsc = (Tsc *)provider;
    tn_allocator allocator = tsc->allocator;

    for (unsigned i = 0; i < tsc->count; i++)
        (void)compiler_end(&tsc->compilers[i], tsc->memory_bytes);
    keeper_release(&tsc->keeper);
    if (tsc->owner == getpid()) {
        pthread_cond_destroy(&tsc->idle);
        pthread_mutex_destroy(&tsc->lock);
    }
    library_release(&tsc->library);
    memory_free(&allocator, tsc->path, tsc->path_bytes);
    memory_free(&allocator, tsc, sizeof *tsc);
}

static const ProviderOperations operations = {"tsc", tsc_check, tsc_warm, tsc_describe, tsc_free};

static unsigned process_count(unsigned wanted)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned usual = processors < 1 ? 1 : processors > 4 ? 4 : (unsigned)processors;

    return wanted == 0 ? usual : wanted > PROCESSES_MAX ? PROCESSES_MAX : wanted;
}

tn_status tsc_new(const tn_allocator *allocator, const CheckerOptions *options,
                  Provider **out_provider)
{
    Tsc *tsc = memory_new(allocator, sizeof *tsc);
    size_t bytes = strlen(options->compiler) + 1;

    if (!tsc)
        return TN_ERR_NOMEM;
    tsc->path = memory_new(allocator, bytes);
    if (!tsc->path) {
        memory_free(allocator, tsc, sizeof *tsc);
        return TN_ERR_NOMEM;
    }
    memcpy(tsc->path, options->compiler, bytes);
    tsc->path_bytes = bytes;
    tsc->base.operations = &operations;
    tsc->allocator = *allocator;
    tsc->time_ms = options->time_ms ? options->time_ms : 1000;
    tsc->memory_bytes = options->memory_bytes ? options->memory_bytes : (uint64_t)512 << 20;
    tsc->count = process_count(options->processes);
    for (unsigned i = 0; i < tsc->count; i++)
        tsc->compilers[i].process = PROCESS_NONE;
    hash_key_draw(&tsc->key);
    library_init(&tsc->library, &tsc->allocator);
    tsc->owner = getpid();
    pthread_mutex_init(&tsc->lock, NULL);
    pthread_cond_init(&tsc->idle, NULL);
    keeper_init(&tsc->keeper);
    *out_provider = &tsc->base;
    return TN_OK;
}
