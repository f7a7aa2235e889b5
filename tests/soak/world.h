/*
 * An image, a pool and programs in it, without the layers above: for tests that look into memory
 * and stop realms at any instruction.
 */
#ifndef WORLD_H
#define WORLD_H

#include "../api/check.h"
#include "realm.h"

typedef struct World {
    const EngineCode *code;
    bool guard;
    int signal;
    Image *image;
    RealmPool pool;
} World;

bool world_open(World *world, bool guard);
void world_close(World *world);

/** Compile; false if the text is no program. */
bool world_compile(World *world, const char *text, size_t length, ProgramCards *out_cards);

/** Open a realm for a run that may take until `wall_ms` from now. */
bool world_run(World *world, const ProgramCards *cards, double wall_ms, Realm *out_realm);

/** Go on until it is over or only waits. Closes the realm. */
RealmState world_finish(Realm *realm);

/* What of a slot is not as in the image. */
typedef struct Look {
    const char *what; /* NULL: nothing */
    size_t where;
} Look;

/** Compare all that a guest can read, and what the host keeps beside it, with the image. */
Look world_look(const Slot *slot);

#endif
