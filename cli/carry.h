/* One server of another client, written so that it means the same in a file for --mcp. */
#ifndef TENON_CLI_CARRY_H
#define TENON_CLI_CARRY_H

#include "clients.h"

#include <stdbool.h>

typedef struct Carry {
    Kept *kept;
    const Source *source;
    const char *name; /* of the server, in its new file */
    bool references;  /* put ${NAME} in the place of what looks secret */
    tn_writer *out;   /* the entry */
} Carry;

/* Write the entry. False: it is left out, and that is told. */
bool carry_server(Carry *carry, tn_value entry);

#endif
