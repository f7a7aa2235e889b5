/* Help, made from the tables of options.c. */
#ifndef TENON_CLI_HELP_H
#define TENON_CLI_HELP_H

#include "options.h"

#include <stdio.h>

/* `tenon help [COMMAND]`. Returns the exit code. */
int help_command(const Settings *settings);
/* -h, and what a bare `tenon` prints: on stream, in short. COMMAND_NONE: the whole command. */
void help_short(FILE *stream, Command command);
/* --help: examples first, then everything. */
void help_long(FILE *stream, Command command);

#endif
