/* What is remembered between starts: catalogues, and the shapes of results.
 *
 * A catalogue that was kept stands in for its server until a program calls it: the server is
 * started then, lists its tools anew, and a call of one that has changed fails (mcp/kept.c) while
 * the new list takes the old one's place. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "memory.h"
#include "package.h"

enum {
    DAYS_SILENT = 7, /* where the server does not say for how long */
    DAYS_MOST = 30,
    PATH_BYTES = 4096
};
static const double day_ms = 24 * 60 * 60 * 1000, save_again_ms = 10000;

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* ---- the key ---- */

static void key_string(Buf *parts, const char *string)
{
    keep_key_part(parts, string ? string : "", string ? strlen(string) : 0);
}

/* Names only: what stands behind them is not for a file. */
static void key_names(Buf *parts, const char *const *pairs, const char *between)
{
    for (; pairs && *pairs; pairs++)
        keep_key_part(parts, *pairs, strcspn(*pairs, between));
    keep_key_part(parts, "", 0);
}

tn_status kept_key(tn_engine *engine, const tn_mcp_server *server, KeepKey *out_key)
{
    char here[PATH_BYTES] = "";
    Buf parts;

    buf_init(&parts, &engine->allocator, SIZE_MAX);
    key_string(&parts, server->url);
    key_string(&parts, server->command);
    for (const char *const *one = server->arguments; one && *one; one++)
        key_string(&parts, *one);
    keep_key_part(&parts, "", 0);
    /* a relative path means another program elsewhere */
    if (server->command && !(server->folder && server->folder[0] == '/') &&
        !getcwd(here, sizeof here))
        here[0] = '\0';
    key_string(&parts, here);
    key_string(&parts, server->folder);
    key_names(&parts, server->environment, "=");
    key_names(&parts, server->headers, ":");
    tn_status status = buf_status(&parts);
    if (status == TN_OK)
        *out_key = keep_key(&parts);
    buf_release(&parts);
    return status;
}

/* ---- catalogues ---- */

void kept_open(tn_engine *engine)
{
    if (engine->cache && engine->package_count > 0)
        engine->keep = keep_open(&engine->allocator, engine->cache);
}

const McpCatalogue *kept_catalogue(tn_engine *engine, Package *package)
{
    const McpCatalogue *catalogue = NULL;
    KeptCatalogue kept;
    double now = now_ms();
    Arena arena;

    if (!engine->keep || engine->cache_use == TN_CACHE_RENEW)
        return NULL;
    arena_init(&arena, &engine->allocator, SIZE_MAX);
    /* one that was kept in the future was kept by another clock */
    if (keep_catalogue(engine->keep, &package->key, &arena, &kept) && kept.stored_ms <= now &&
        now < kept.expires_ms &&
        mcp_catalogue_read(&engine->allocator, kept.document, &catalogue) == TN_OK) {
        package->stored_ms = kept.stored_ms;
        package->kept = true;
    }
    arena_release(&arena);
    return catalogue;
}

static double days_ms(double ttl_ms)
{
    double most = (double)DAYS_MOST * day_ms;

    return isnan(ttl_ms) ? (double)DAYS_SILENT * day_ms : ttl_ms < most ? ttl_ms : most;
}

static Package *package_of(tn_engine *engine, const McpServer *server)
{
    for (size_t i = 0; i < engine->package_count; i++) {
        if (engine->packages[i].server == server)
            return &engine->packages[i];
    }
    return NULL;
}

void kept_listed(void *user, McpServer *server, const McpCatalogue *catalogue)
{
    tn_engine *engine = user;
    Package *package = package_of(engine, server);
    KeptCatalogue kept = {.version = catalogue->server_version, .stored_ms = now_ms()};
    Buf document;

    if (!mcp_server_as_expected(server))
        __atomic_store_n(&engine->outdated, true, __ATOMIC_RELEASE);
    if (!package || !engine->keep)
        return;
    pthread_mutex_lock(&engine->learning);
    if (!package->version || strcmp(package->version, kept.version) != 0)
        package->version = arena_string(&engine->learned, kept.version);
    pthread_mutex_unlock(&engine->learning);
    buf_init(&document, &engine->allocator, SIZE_MAX);
    mcp_catalogue_write(catalogue, &document);
    kept.expires_ms = kept.stored_ms + days_ms(catalogue->ttl_ms);
    kept.document = tn_value_view(document.data, document.length);
    if (!document.failed)
        keep_put_catalogue(engine->keep, &package->key, &kept);
    buf_release(&document);
}

bool tn_engine_outdated(const tn_engine *engine)
{
    return __atomic_load_n(&engine->outdated, __ATOMIC_ACQUIRE);
}

/* ---- results ---- */

tn_status kept_recall(Tool *tool)
{
    tn_engine *engine = tool->engine;
    tn_status status = TN_OK;
    Arena arena;

    if (!engine->keep)
        return TN_OK;
    arena_init(&arena, &engine->allocator, SIZE_MAX);
    tn_value shape = keep_learned(engine->keep, &tool->package->key,
                                  tool->package->catalogue->server_version, tool->wire, &arena);
    if (tn_value_type(shape) != TN_TYPE_NONE) {
        status = learned_new(&engine->allocator, &tool->learned);
        if (status == TN_OK &&
            (!learned_read(tool->learned, shape) || learned_results(tool->learned) == 0)) {
            learned_free(tool->learned);
            tool->learned = NULL;
        }
    }
    arena_release(&arena);
    return status;
}

/* What others have learned meanwhile, and what was learned here. */
static void join(void *context, tn_value kept, Buf *out)
{
    Learned *fresh = context;

    if (tn_value_type(kept) != TN_TYPE_NONE)
        (void)learned_read(fresh, kept);
    learned_write(fresh, out);
}

/* With the lock held. What was saved is no longer fresh. */
static void save(Package *package)
{
    for (size_t i = 0; i < package->tool_count; i++) {
        Tool *tool = &package->tools[i];
        if (!tool->fresh)
            continue;
        keep_change_learned(tool->engine->keep, &package->key,
                            package->version ? package->version
                                             : package->catalogue->server_version,
                            tool->wire, join, tool->fresh);
        learned_free(tool->fresh);
        tool->fresh = NULL;
    }
    package->saved_ms = clock_monotonic_ms();
}

void kept_observe(Tool *tool, tn_value result)
{
    tn_engine *engine = tool->engine;
    Package *package = tool->package;

    if (!tool->learns || !engine->keep)
        return;
    pthread_mutex_lock(&engine->learning);
    if (tool->fresh || learned_new(&engine->allocator, &tool->fresh) == TN_OK)
        learned_observe(tool->fresh, result);
    if (package->saved_ms == 0)
        package->saved_ms = clock_monotonic_ms();
    else if (clock_monotonic_ms() - package->saved_ms > save_again_ms)
        save(package);
    pthread_mutex_unlock(&engine->learning);
}

void kept_close(tn_engine *engine)
{
    for (size_t i = 0; i < engine->package_count; i++) {
        Package *package = &engine->packages[i];
        if (engine->keep)
            save(package);
        for (size_t at = 0; at < package->tool_count; at++) {
            learned_free(package->tools[at].learned);
            learned_free(package->tools[at].fresh);
        }
    }
    keep_close(engine->keep);
    engine->keep = NULL;
}
