/*
 * The world that a compiler process sees: a root folder with the files of one check in it, and the
 * library. Nothing of it is on a disk, and nothing of a disk is in it.
 */
#ifndef WORLD_H
#define WORLD_H

#include "library.h"
#include "rpc.h"

typedef struct WorldFile {
    const char *path;
    const char *text;
    size_t length;
} WorldFile;

typedef struct World {
    const WorldFile *files;
    size_t count;
    const Library *library;
} World;

/** Answer what a compiler asks of its file system (an RpcAsked; the context is the World). */
void world_asked(void *context, const Tape *tape, uint32_t method, uint32_t params, Buf *out);

#endif
