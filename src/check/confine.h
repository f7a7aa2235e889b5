/*
 * What a compiler process gives up before it begins: as much of its power as this machine lets it.
 * Everything here is best effort and is told: which walls stand is a set of bits.
 */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ConfineWall {
    CONFINE_RLIMITS = 1 << 0,    /* memory, no files written, no core */
    CONFINE_NAMESPACES = 1 << 1, /* a user of its own; no network, no shared memory of others */
    CONFINE_POWERS = 1 << 2,     /* no capabilities, none to be gained */
    CONFINE_LANDLOCK = 1 << 3,   /* of all files it can open only its own program */
    CONFINE_SECCOMP = 1 << 4,    /* no sockets, no new processes, no files opened for writing */
    CONFINE_ALL = (1 << 5) - 1,
} ConfineWall;

/**
 * Give up what can be given up. For a child between fork and exec: it calls nothing that is not
 * async-signal-safe. `program` is the descriptor of what it will execute.
 */
unsigned confine(int program, uint64_t memory_bytes);

#endif
