/* One server of a file, as the many programs that keep such files write them. */
#ifndef TENON_CLI_SERVER_H
#define TENON_CLI_SERVER_H

#include "variables.h"

typedef enum Entry {
    ENTRY_TAKEN,
    ENTRY_LEFT, /* switched off, or of a kind that is not spoken: told, if there is something to */
    ENTRY_WRONG /* complained of */
} Entry;

/* Read the entry of `scope`'s server. Everything in `out` lives as long as the scope. */
Entry server_read(Scope *scope, tn_value entry, tn_mcp_server *out);

/* The same of a service: "document", "server", "headers", "credentials", "timeout". */
Entry service_read(Scope *scope, tn_value entry, tn_openapi *out);

/* The object of the servers in a file, and the name of the member that it is; TN_TYPE_NONE. */
tn_value servers_object(tn_value whole, const char **out_section);

/* A package's name for a server's: an identifier. */
char *server_package(Kept *kept, const char *name, size_t length);

/* Where it is, of "url", "serverUrl", "httpUrl": TN_TYPE_NONE if it is a program. */
tn_value server_address(tn_value entry);

/* Does it start this very command as a server? It would start itself without end. */
bool server_is_tenon(tn_value entry);

/* The folder that a file's ${workspaceFolder} is: of `.mcp.json` its own, of `.vscode/mcp.json` and
 * the like the one above, of any other file the current one. */
const char *workspace_of(Kept *kept, const char *path);

#endif
