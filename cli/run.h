/* `tenon run`. */
#ifndef TENON_CLI_RUN_H
#define TENON_CLI_RUN_H

#include "options.h"

/* Returns the exit code. */
int run_command(const Settings *settings);

#endif
