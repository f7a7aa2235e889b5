/* Files that name MCP servers, as agents and editors keep them: "mcpServers" or "servers". */
#ifndef TENON_CLI_SERVERS_H
#define TENON_CLI_SERVERS_H

#include "options.h"

/* Add the servers of every --mcp FILE to the engine; without any, those of the `.mcp.json` that is
 * found and trusted (trust.h). Complains and returns an exit code, or 0. */
int servers_add(const Settings *settings, tn_engine *engine);

/* Say on stderr what could not be had of them. */
void servers_tell_problems(const tn_engine *engine);

#endif
