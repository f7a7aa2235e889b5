/* A package of a server's tools: what packages.c makes, kept.c remembers and types.c tells. */
#ifndef TENON_PACKAGE_H
#define TENON_PACKAGE_H

#include "keep.h"
#include "learn.h"
#include "mcp.h"
#include "schema.h"
#include "whole.h"

/* One tool: what its provider needs to know. In the registry's arena. */
typedef struct Tool {
    tn_engine *engine;
    Package *package;
    const char *wire;  /* the server's own name of it */
    const char *shown; /* "package.function" */
    tn_value about;
    const Schema *input, *output; /* NULL: it says nothing of it */
    SchemaText type;              /* of its argument */
    bool needs_argument;
    bool added;       /* programs can call it */
    bool learns;      /* it does not say what it gives */
    Learned *learned; /* from earlier starts; NULL: nothing. What was declared says this */
    Learned *fresh;   /* since; under the engine's `learning` */
} Tool;

struct Package {
    const char *name; /* as programs write it */
    McpServer *server;
    KeepKey key;
    const McpCatalogue *catalogue;
    const char *version; /* of the server at work; under `learning` */
    double stored_ms;    /* when the server said so, since 1970 */
    bool kept;           /* at an earlier start */
    Tool *tools;
    size_t tool_count;
    double saved_ms; /* what was learned, on the monotonic clock; under `learning` */
};

/* ---- kept.c ---- */

/** How a server is configured, without any secret. */
tn_status kept_key(tn_engine *engine, const tn_mcp_server *server, KeepKey *out_key);
/** Open the file, if there is to be one. */
void kept_open(tn_engine *engine);
/** Save what was learned. */
void kept_close(tn_engine *engine);
/** What the server offered when it was last asked; NULL: it must be asked. */
const McpCatalogue *kept_catalogue(tn_engine *engine, Package *package);
/** The server has listed its tools. On the client's thread; `user` is the engine. */
void kept_listed(void *user, McpServer *server, const McpCatalogue *catalogue);
/** What results of this tool have looked like. TN_ERR_NOMEM. */
tn_status kept_recall(Tool *tool);
/** One more result of it. */
void kept_observe(Tool *tool, tn_value result);

#endif
