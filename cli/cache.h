/* Where what is worth knowing at the next start is kept. */
#ifndef TENON_CLI_CACHE_H
#define TENON_CLI_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* $XDG_CACHE_HOME/tenon/NAME, or ~/.cache/tenon/NAME. False: there is no home. */
bool cache_path(const char *name, char *out_path, size_t room);

#endif
