/* What a program may call: `tenon search`, `tenon describe`, `tenon prompt`. */
#ifndef TENON_CLI_SEARCH_H
#define TENON_CLI_SEARCH_H

#include "options.h"

int search_command(const Settings *settings);
int describe_command(const Settings *settings);
int prompt_command(const Settings *settings);

#endif
