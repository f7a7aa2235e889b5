/* The public engine and program. */
#include "whole.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base.h"
#include "c_function.h"
#include "clock.h"
#include "declare.h"
#include "discovery.h"
#include "fetch.h"
#include "front.h"
#include "http_client.h"
#include "memory.h"
#include "packages.h"
#include "report.h"

const char *tn_version(void)
{
    return "0.1.0";
}

const char *tn_status_text(tn_status status)
{
    static const char *const texts[] = {
        [TN_OK] = "ok",
        [TN_ERR_NOMEM] = "out of memory",
        [TN_ERR_ARGUMENT] = "an argument is wrong",
        [TN_ERR_LIMIT] = "something is larger than its limit",
        [TN_ERR_STATE] = "not possible at this moment",
        [TN_ERR_NOT_FOUND] = "no such name",
        [TN_ERR_UNAVAILABLE] = "this machine lacks what is needed (see tn_doctor)",
        [TN_ERR_SYSTEM] = "the operating system refused",
    };

    if ((size_t)status >= sizeof texts / sizeof *texts)
        return "unknown status";
    return texts[status];
}

/* ---- engine ---- */

/* Read an options struct that may be shorter than ours, if the caller was built long ago. */
static tn_engine_options read_options(const tn_engine_options *options)
{
    tn_engine_options result = {.size = sizeof result};

    if (options)
        memcpy(&result, options, options->size < sizeof result ? options->size : sizeof result);
    return result;
}

static bool draw_keys(uint64_t *keys, size_t bytes)
{
    return getrandom(keys, bytes, 0) == (ssize_t)bytes;
}

static tn_status start_checker(tn_engine *engine, const tn_engine_options *options)
{
    CheckerOptions chosen = {.compiler = options->compiler,
                             .time_ms = options->check_ms,
                             .memory_bytes = options->check_bytes};
    tn_status status = TN_OK;

    engine->checking = options->checker;
    if (options->compiler && options->checker != TN_CHECKER_NONE)
        status = checker_new(&engine->allocator, &chosen, &engine->checker);
    if (status != TN_OK)
        watch_stop(engine->signal, engine->guard);
    return status;
}

tn_status tn_engine_new(const tn_engine_options *options, tn_engine **out_engine)
{
    tn_engine_options chosen = read_options(options);
    const tn_allocator *allocator = chosen.allocator ? chosen.allocator : memory_default();
    tn_limits defaults = limits_default();
    tn_engine *engine;
    tn_status status;

    if (chosen.bounds > TN_BOUNDS_CHECKED || chosen.checker > TN_CHECKER_NONE ||
        chosen.cache_use > TN_CACHE_REFRESH)
        return TN_ERR_ARGUMENT;
    engine = memory_new(allocator, sizeof *engine);
    if (!engine)
        return TN_ERR_NOMEM;
    engine->allocator = *allocator;
    engine->guard = chosen.bounds != TN_BOUNDS_CHECKED;
    engine->code = engine->guard ? &engine_guard : &engine_checked;
    engine->signal = chosen.signal ? chosen.signal : watch_default_signal();
    engine->kept = chosen.idle_realms ? chosen.idle_realms : 4;
    if (chosen.limits.size == 0)
        chosen.limits.size = sizeof chosen.limits;
    engine->limits = limits_resolve(&chosen.limits, &defaults);
    status = watch_start(engine->signal, engine->guard);
    if (status == TN_OK)
        status = start_checker(engine, &chosen);
    if (status != TN_OK) {
        memory_free(allocator, engine, sizeof *engine);
        return status;
    }
    registry_init(&engine->registry, &engine->allocator);
    arena_init(&engine->learned, &engine->allocator, SIZE_MAX);
    pthread_mutex_init(&engine->lock, NULL);
    pthread_mutex_init(&engine->learning, NULL);
    engine->cache_use = chosen.cache_use;
    engine->elicit = chosen.elicit;
    engine->elicit_user = chosen.elicit_user;
    if (chosen.cache && !(engine->cache = arena_string(&engine->registry.arena, chosen.cache))) {
        tn_engine_free(engine);
        return TN_ERR_NOMEM;
    }
    *out_engine = engine;
    return TN_OK;
}

void tn_engine_free(tn_engine *engine)
{
    tn_allocator allocator;

    if (!engine)
        return;
    if (engine->image) {
        pool_release(&engine->pool);
        image_free(&engine->allocator, engine->image);
    }
    packages_close(engine);
    http_client_free(engine->http);
    checker_free(engine->checker);
    discovery_free(engine);
    zone_free(engine->zone);
    arena_release(&engine->learned);
    registry_release(&engine->registry);
    pthread_mutex_destroy(&engine->learning);
    pthread_mutex_destroy(&engine->lock);
    watch_stop(engine->signal, engine->guard);
    allocator = engine->allocator;
    memory_free(&allocator, engine, sizeof *engine);
}

static tn_status add(tn_engine *engine, EntryKind kind, const char *name, tn_function function,
                     void *user, unsigned flags)
{
    Provider provider = {0};
    tn_status status = TN_OK;

    if (engine->closed)
        return TN_ERR_STATE;
    if (kind != ENTRY_INTERFACE)
        status = c_function_provider(&engine->registry.arena, function, user, &provider);
    return status != TN_OK ? status : registry_add(&engine->registry, kind, name, flags, provider);
}

tn_status tn_engine_add_function(tn_engine *engine, const char *name, tn_function function,
                                 void *user, unsigned flags)
{
    return add(engine, ENTRY_FUNCTION, name, function, user, flags);
}

tn_status tn_engine_add_interface(tn_engine *engine, const char *name, const tn_method *methods,
                                  size_t count)
{
    char full[256];
    tn_status status = add(engine, ENTRY_INTERFACE, name, NULL, NULL, 0);

    for (size_t i = 0; i < count && status == TN_OK; i++) {
        int length = snprintf(full, sizeof full, "%s.%s", name, methods[i].name);
        if (length < 0 || (size_t)length >= sizeof full)
            return TN_ERR_ARGUMENT;
        status =
            add(engine, ENTRY_METHOD, full, methods[i].function, methods[i].user, methods[i].flags);
    }
    return status;
}

static tn_status make_image(tn_engine *engine)
{
    size_t count = engine->registry.count;
    uint64_t keys[3];
    ImageFunction *functions;
    tn_status status;

    if (!draw_keys(keys, sizeof keys))
        return TN_ERR_UNAVAILABLE;
    engine->seed_key = keys[2];
    status = registry_close(&engine->registry);
    if (status != TN_OK)
        return status;
    functions = memory_new(&engine->allocator, (count + 1) * sizeof *functions);
    if (!functions)
        return TN_ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        const RegistryEntry *entry = &engine->registry.entries[i];
        functions[i] = (ImageFunction){.name = entry->name,
                                       .flags = entry->flags,
                                       .starts_interface = entry->kind == ENTRY_INTERFACE,
                                       .method = entry->kind == ENTRY_METHOD,
                                       .for_prelude = (entry->flags & ENTRY_INSIDE) != 0};
    }
    status = image_new(&engine->allocator, engine->code, engine->signal, keys[0], keys[1],
                       functions, count, &engine->image);
    memory_free(&engine->allocator, functions, (count + 1) * sizeof *functions);
    if (status == TN_OK)
        pool_init(&engine->pool, &engine->allocator, engine->image, engine->signal, engine->kept);
    return status;
}

tn_status tn_engine_add_declarations(tn_engine *engine, const char *name, const char *text,
                                     size_t length)
{
    return engine->closed ? TN_ERR_STATE : engine_declare(engine, name, text, length);
}

tn_status engine_http(tn_engine *engine, HttpClient **out_client)
{
    const HttpClientOptions options = {.allocator = &engine->allocator};

    if (!engine->http)
        TRY(http_client_new(&options, &engine->http));
    *out_client = engine->http;
    return TN_OK;
}

tn_status engine_declare(tn_engine *engine, const char *name, const char *text, size_t length)
{
    Arena *arena = &engine->registry.arena;
    Declaration *added;

    if (!name || name[0] == 0)
        return TN_ERR_ARGUMENT;
    for (size_t i = 0; i < engine->declaration_count; i++) {
        if (strcmp(engine->declarations[i].name, name) == 0)
            return TN_ERR_STATE;
    }
    if (engine->declaration_count == engine->declaration_capacity) {
        size_t capacity = engine->declaration_capacity ? engine->declaration_capacity * 2 : 8;
        added = arena_grow(arena, engine->declarations,
                           engine->declaration_capacity * sizeof *added, capacity * sizeof *added);
        if (!added)
            return TN_ERR_NOMEM;
        engine->declarations = added;
        engine->declaration_capacity = capacity;
    }
    added = &engine->declarations[engine->declaration_count];
    *added = (Declaration){arena_string(arena, name), arena_text(arena, text, length), length};
    if (!added->name || !added->text)
        return TN_ERR_NOMEM;
    engine->declaration_count++;
    return TN_OK;
}

typedef struct Declaring {
    tn_engine *engine;
    Buf *missing;
    tn_status status;
} Declaring;

static void read_texts(void *argument)
{
    Declaring *declaring = argument;
    tn_engine *engine = declaring->engine;
    size_t count = engine->declaration_count;
    DeclareText *texts = memory_new(&engine->allocator, (count + 1) * sizeof *texts);

    declaring->status = TN_ERR_NOMEM;
    if (!texts)
        return;
    for (size_t i = 0; i < count; i++)
        texts[i] = (DeclareText){engine->declarations[i].text, engine->declarations[i].length};
    declaring->status = declare_checks(&engine->registry, texts, count, declaring->missing);
    memory_free(&engine->allocator, texts, (count + 1) * sizeof *texts);
}

/* What functions in C are declared to take is held against their calls; what is not declared, or in
 * one way of two, is declared here. Other packages bring all that with them. */
static tn_status read_declared(tn_engine *engine)
{
    Buf missing;
    Declaring declaring = {engine, &missing, TN_OK};
    tn_status status = TN_OK;
    bool wanted = false;

    for (size_t i = 0; i < engine->registry.count; i++) {
        const RegistryEntry *entry = &engine->registry.entries[i];
        wanted = wanted || (entry->kind != ENTRY_INTERFACE && !entry->check.fits);
    }
    if (!wanted)
        return TN_OK;
    buf_init(&missing, &engine->allocator, SIZE_MAX);
    status = pipeline_on_large_stack(engine, read_texts, &declaring);
    if (status == TN_OK)
        status = declaring.status;
    if (status == TN_OK && missing.length > 0)
        status = engine_declare(engine, MISSING_DECLARATIONS, (const char *)missing.data,
                                missing.length);
    buf_release(&missing);
    return status;
}

tn_status engine_close(tn_engine *engine)
{
    tn_status status = TN_OK;

    pthread_mutex_lock(&engine->lock);
    engine->closed = true;
    if (!engine->image) {
        if (!engine->zone)
            status = zone_load(&engine->allocator, NULL, &engine->zone);
        if (status == TN_OK)
            status = packages_open(engine);
        if (status == TN_OK)
            status = fetch_open(engine);
        if (status == TN_OK)
            status = make_image(engine);
    }
    if (status == TN_OK && !engine->ready) {
        status = read_declared(engine);
        if (status == TN_OK)
            status = front_open(engine);
        engine->ready = status == TN_OK;
    }
    pthread_mutex_unlock(&engine->lock);
    return status;
}

tn_status tn_engine_open(tn_engine *engine)
{
    return engine_close(engine);
}

/* ---- program ---- */

static tn_program_options read_program_options(const tn_program_options *options)
{
    tn_program_options result = {.size = sizeof result};

    if (options)
        memcpy(&result, options, options->size < sizeof result ? options->size : sizeof result);
    if (!result.name)
        result.name = "program.js";
    return result;
}

/* The options are the caller's: what is asked of it later is kept. */
static tn_status keep_exports(tn_program *program, const tn_program_options *options)
{
    Arena *arena = &program->arena;

    if (options->export_count == 0)
        return TN_OK;
    program->exports = ARENA_ARRAY(arena, tn_export, options->export_count);
    for (size_t i = 0; program->exports && i < options->export_count; i++) {
        const tn_export *asked = &options->exports[i];
        program->exports[i].name = arena_string(arena, asked->name);
        program->exports[i].type = asked->type ? arena_string(arena, asked->type) : NULL;
    }
    program->export_count = options->export_count;
    return arena_status(arena);
}

tn_status tn_program_new(tn_engine *engine, const char *text, size_t length,
                         const tn_program_options *options, tn_program **out_program)
{
    tn_program_options chosen = read_program_options(options);
    tn_program *program = memory_new(&engine->allocator, sizeof *program);
    tn_status status;

    if (!program)
        return TN_ERR_NOMEM;
    program->engine = engine;
    pthread_mutex_init(&program->lock, NULL);
    arena_init(&program->arena, &engine->allocator, SIZE_MAX);
    findings_init(&program->findings, &program->arena);
    status = engine_close(engine);
    if (status == TN_OK)
        status = keep_exports(program, &chosen);
    if (status == TN_OK)
        status = pipeline_compile(program, &chosen, text, length);
    if (status == TN_OK)
        status = report_findings(program);
    if (status != TN_OK) {
        tn_program_free(program);
        return status;
    }
    *out_program = program;
    return TN_OK;
}

bool tn_program_ready(const tn_program *program)
{
    return program->ready;
}

size_t tn_program_finding_count(const tn_program *program)
{
    return program->findings.count;
}

const tn_finding *tn_program_finding(const tn_program *program, size_t index)
{
    return index < program->findings.count ? &program->told[index] : NULL;
}

const char *tn_program_javascript(const tn_program *program, size_t *out_length)
{
    const Source *javascript = program->ready ? program->javascript : NULL;

    *out_length = javascript ? javascript->length : 0;
    return javascript ? javascript->text : "";
}

void tn_program_free(tn_program *program)
{
    tn_allocator allocator;

    if (!program)
        return;
    allocator = program->engine->allocator;
    if (program->warm) {
        __atomic_fetch_sub(&program->engine->warm_count, 1, __ATOMIC_RELAXED);
        pool_give(&program->engine->pool, program->warm);
    }
    cards_release(&allocator, &program->cards);
    pthread_mutex_destroy(&program->lock);
    arena_release(&program->arena);
    memory_free(&allocator, program, sizeof *program);
}
