#ifndef TENON_MCP_ORDER_H
#define TENON_MCP_ORDER_H

#include "arena.h"
#include "child.h"
#include "mcp.h"

/** False: no memory. */
bool server_order(const McpServer *server, Arena *arena, ChildOrder *out_order);

#endif
