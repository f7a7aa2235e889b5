/* `tenon types`: what is known of packages' types, and where it is from. */
#ifndef TENON_CLI_TYPES_H
#define TENON_CLI_TYPES_H

#include "options.h"

int types_command(const Settings *settings);

#endif
