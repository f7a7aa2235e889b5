/* What is known of a package's types, and where each of them is from. */
#include <string.h>
#include <time.h>

#include "package.h"
#include "text.h"

static void put_text(tn_writer *out, const char *key, const char *text)
{
    tn_put_key(out, key);
    tn_put_string(out, text);
}

static void put_server(tn_writer *out, const McpCatalogue *catalogue)
{
    tn_put_key(out, "server");
    tn_put_object_begin(out);
    put_text(out, "name", catalogue->server_name);
    put_text(out, "version", catalogue->server_version);
    put_text(out, "protocol", catalogue->revision);
    put_text(out, "era",
             strcmp(catalogue->revision, "2026-07-28") >= 0 ? "stateless" : "handshake");
    tn_put_object_end(out);
}

static void put_catalogue(tn_writer *out, const Package *package)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    tn_put_key(out, "catalogue");
    tn_put_object_begin(out);
    tn_put_key(out, "kept");
    tn_put_bool(out, package->kept);
    if (package->kept) {
        tn_put_key(out, "ageMs");
        tn_put_int(out, (int64_t)((double)now.tv_sec * 1e3 - package->stored_ms));
    }
    tn_put_object_end(out);
}

static void put_function(tn_writer *out, const Tool *tool)
{
    tn_put_object_begin(out);
    put_text(out, "name", tool->shown);
    put_text(out, "tool", tool->wire);
    put_text(out, "argument", tool->input ? "checked" : "any");
    put_text(out, "result", tool->output ? "checked" : tool->learned ? "learned" : "any");
    if (tool->learned) {
        tn_put_key(out, "results");
        tn_put_int(out, learned_results(tool->learned));
    }
    tn_put_object_end(out);
}

static void put_declaration(tn_writer *out, const tn_engine *engine, const Package *package)
{
    size_t length = strlen(package->name);

    for (size_t i = 0; i < engine->declaration_count; i++) {
        const Declaration *declaration = &engine->declarations[i];
        if (strncmp(declaration->name, package->name, length) != 0 ||
            strcmp(declaration->name + length, ".d.ts") != 0)
            continue;
        tn_put_key(out, "declaration");
        tn_put_text(out, declaration->text, declaration->length);
    }
}

/* "hub: ...", "hub.send: ..." */
static void put_problems(tn_writer *out, const tn_engine *engine, const Package *package)
{
    size_t length = strlen(package->name);

    tn_put_key(out, "problems");
    tn_put_array_begin(out);
    for (size_t i = 0; i < engine->problem_count; i++) {
        const char *problem = engine->problems[i];
        if (strncmp(problem, package->name, length) == 0 &&
            (problem[length] == ':' || problem[length] == '.'))
            tn_put_string(out, problem);
    }
    tn_put_array_end(out);
}

static void put_package(tn_writer *out, const tn_engine *engine, const Package *package)
{
    const McpCatalogue *catalogue = package->catalogue;

    tn_put_object_begin(out);
    put_text(out, "package", package->name);
    if (catalogue && !catalogue->error) {
        put_server(out, catalogue);
        put_catalogue(out, package);
        put_declaration(out, engine, package);
    }
    tn_put_key(out, "functions");
    tn_put_array_begin(out);
    for (size_t i = 0; i < package->tool_count; i++) {
        if (package->tools[i].added)
            put_function(out, &package->tools[i]);
    }
    tn_put_array_end(out);
    put_problems(out, engine, package);
    tn_put_object_end(out);
}

tn_status tn_engine_types(tn_engine *engine, const char *package, char **out_text,
                          size_t *out_length)
{
    tn_writer *out;
    bool found = package == NULL;
    tn_status status;

    pthread_mutex_lock(&engine->lock);
    bool open = engine->ready;
    pthread_mutex_unlock(&engine->lock);
    if (!open)
        return TN_ERR_STATE;
    status = tn_writer_new(&out);
    if (status != TN_OK)
        return status;
    tn_put_array_begin(out);
    for (size_t i = 0; i < engine->package_count; i++) {
        if (package && strcmp(engine->packages[i].name, package) != 0)
            continue;
        found = true;
        put_package(out, engine, &engine->packages[i]);
    }
    tn_put_array_end(out);
    status = found ? tn_value_json(tn_writer_value(out), out_text, out_length) : TN_ERR_NOT_FOUND;
    tn_writer_free(out);
    return status;
}
