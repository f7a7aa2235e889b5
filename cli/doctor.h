/* `tenon doctor`. */
#ifndef TENON_CLI_DOCTOR_H
#define TENON_CLI_DOCTOR_H

#include "options.h"

/* Returns the exit code: EXIT_OK if all that is required is there, else EXIT_UNAVAILABLE. */
int doctor_command(const Settings *settings);

#endif
