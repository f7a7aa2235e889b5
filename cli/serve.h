/* tenon mcp: an MCP server over standard input and output. */
#ifndef TENON_CLI_SERVE_H
#define TENON_CLI_SERVE_H

#include "options.h"

int mcp_command(const Settings *settings);

#endif
