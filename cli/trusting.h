/* `tenon trust`: what a `.mcp.json` would start, and the word that it may. */
#ifndef TENON_CLI_TRUSTING_H
#define TENON_CLI_TRUSTING_H

#include "options.h"

int trust_command(const Settings *settings);

#endif
