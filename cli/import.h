/* `tenon mcp import`: the servers that other clients are set up with, in one file for --mcp. */
#ifndef TENON_CLI_IMPORT_H
#define TENON_CLI_IMPORT_H

#include "options.h"

int import_command(const Settings *settings);

#endif
