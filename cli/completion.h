/* The completion scripts, built into the command. */
#ifndef TENON_CLI_COMPLETION_H
#define TENON_CLI_COMPLETION_H

#include "options.h"

/* Returns the exit code. */
int completion_command(const Settings *settings);

#endif
