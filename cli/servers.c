/* Files of servers, from --mcp or found, and what of them the engine is told. */
#include "servers.h"

#include "complain.h"
#include "server.h"
#include "services.h"
#include "trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A server that is this command starts servers in turn: deeper than this nobody means it. */
enum { DEPTH_MOST = 3 };

/* One file, and how strict to be about it. */
typedef struct Reading {
    Scope scope;
    bool found; /* nobody named it: what is wrong in it is told, and costs that server only */
} Reading;

static int add_server(Reading *reading, tn_engine *engine, tn_value name, tn_value entry)
{
    Scope *scope = &reading->scope;
    tn_mcp_server made;
    size_t length;
    const char *text = tn_value_text(name, &length);
    char *server = text != NULL ? kept_text(&scope->kept, text, length) : NULL;
    char *package = server != NULL ? server_package(&scope->kept, server, length) : NULL;

    if (package == NULL)
        return library_failed(TN_ERR_NOMEM, "read the servers");
    scope->server = server;
    scope->package = package;
    if (reading->found && server_is_tenon(entry))
        return 0; /* an agent's file names us as well, and we are here already */
    switch (server_read(scope, entry, &made)) {
    case ENTRY_LEFT:
        return 0;
    case ENTRY_WRONG:
        return reading->found ? 0 : EXIT_USAGE;
    case ENTRY_TAKEN:
        break;
    }
    tn_status status = tn_engine_add_mcp(engine, package, &made);
    if (status == TN_ERR_STATE)
        return complain("Call one of them otherwise.", "%s: there are two servers %s",
                        scope->file->path, package);
    return status == TN_OK ? 0 : library_failed(status, "take a server");
}

static int add_servers(Reading *reading, tn_engine *engine)
{
    Scope *scope = &reading->scope;
    tn_value whole = jsonc_value(scope->file);
    tn_value servers = servers_object(whole, &scope->section);
    bool services = tn_value_type(tn_value_member(whole, "openapi")) != TN_TYPE_NONE;
    int wrong = 0;

    if (tn_value_type(servers) != TN_TYPE_OBJECT && (!services || reading->found))
        return complain(
            "As in {\"mcpServers\": {\"files\": {\"command\": \"npx\", \"args\": [...]}}}.",
            "%s has no object \"mcpServers\", \"servers\" or \"openapi\"", scope->file->path);
    scope->inputs = tn_value_member(whole, "inputs");
    for (tn_cursor cursor = {0}; wrong == 0 && tn_value_next(servers, &cursor);)
        wrong = add_server(reading, engine, cursor.key, cursor.value);
    return wrong != 0 || reading->found ? wrong : services_add_section(scope, engine);
}

static int add_file(const char *path, tn_engine *engine)
{
    Jsonc file;
    Reading reading = {.scope = {.file = &file}};
    int wrong = jsonc_read(&file, path, "servers");

    reading.scope.workspace = workspace_of(&reading.scope.kept, path);
    if (wrong == 0)
        wrong = add_servers(&reading, engine);
    kept_release(&reading.scope.kept);
    jsonc_release(&file);
    return wrong;
}

/* ---- .mcp.json ---- */

static void tell_untrusted(const char *path, Trust trust)
{
    (void)fprintf(stderr, "tenon: %s %s; no server of it is started (tenon trust shows them)\n",
                  path,
                  trust == TRUST_CHANGED ? "has changed since it was trusted" : "is not trusted");
}

static int add_trusted(TrustFile *found, Reading *reading, tn_engine *engine)
{
    Jsonc file;
    int wrong;

    /* What was digested is what is used: the file is not opened again. */
    wrong = jsonc_parse(&file, found->path, found->text);
    found->text = (Text){0};
    reading->scope.file = &file;
    reading->scope.workspace = workspace_of(&reading->scope.kept, found->path);
    if (wrong == 0)
        wrong = add_servers(reading, engine);
    jsonc_release(&file);
    return wrong;
}

/* The nearest `.mcp.json`, if its owner said that it counts. */
static int add_found(tn_engine *engine)
{
    Reading reading = {.found = true};
    Kept *kept = &reading.scope.kept;
    const char *path = trust_find(kept), *why = NULL;
    TrustFile found = {0};
    Trust trust = TRUST_NONE;
    int wrong = 0;

    if (path != NULL)
        why = trust_open(kept, path, &found);
    if (path != NULL && why == NULL)
        trust = trust_of(kept, &found);
    if (why != NULL)
        (void)fprintf(stderr, "tenon: %s is left aside: %s\n", path, why);
    else if (trust == TRUST_GIVEN)
        wrong = add_trusted(&found, &reading, engine);
    else if (path != NULL)
        tell_untrusted(path, trust);
    free(found.text.bytes);
    kept_release(kept);
    return wrong;
}

/* ---- all of them ---- */

int servers_add(const Settings *settings, tn_engine *engine)
{
    const char *depth = getenv("TENON_DEPTH");
    int wrong = 0;

    if (settings->no_mcp)
        return 0;
    if (depth != NULL && atoi(depth) >= DEPTH_MOST)
        return complain("Take the server that is tenon out of the file that it reads.",
                        "tenon was started by itself, %s deep", depth);
    for (size_t i = 0; i < settings->servers.count && wrong == 0; i++)
        wrong = add_file(settings->servers.at[i], engine);
    return settings->servers.count > 0 ? wrong : add_found(engine);
}

void servers_tell_problems(const tn_engine *engine)
{
    for (size_t i = 0; i < tn_engine_problem_count(engine); i++)
        (void)fprintf(stderr, "tenon: %s\n", tn_engine_problem(engine, i));
}
