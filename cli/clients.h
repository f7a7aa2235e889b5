/* Where other clients keep their MCP servers. */
#ifndef TENON_CLI_CLIENTS_H
#define TENON_CLI_CLIENTS_H

#include "jsonc.h"
#include "kept.h"

/* One object of servers, of one file. */
typedef struct Source {
    const char *client;
    const char *path;
    const char *workspace; /* of a project's; NULL: they belong to no folder */
    tn_value servers, inputs;
    struct Source *next;
    Jsonc file;
} Source;

/* Gather what is there of a client (its name), of all of them (NULL), or in a file (a path).
 * Complains and returns an exit code, or 0; one that is named must be there. */
int clients_read(Kept *kept, const char *what, Source ***last);
void clients_release(Source *first);

/* The names that can be given, with commas between. */
const char *clients_names(Kept *kept);

#endif
