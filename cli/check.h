/* `tenon check`. */
#ifndef TENON_CLI_CHECK_H
#define TENON_CLI_CHECK_H

#include "options.h"

/* Returns the exit code: EXIT_REFUSED if a program has errors. */
int check_command(const Settings *settings);

#endif
