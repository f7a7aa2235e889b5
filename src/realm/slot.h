/* A slot: the memory and the stack one realm runs in, reused from run to run.
 *
 * Layout in engine/engine.h. A slot starts as a private mapping of the image: its pages are shared
 * with all other slots until written. Every store of the guest marks a card, so that a reset copies
 * back just the cards a run touched. The invariant after slot_reset: every byte the guest can read
 * is the image's, and the size is the image's, whatever ran before. */
#ifndef TENON_SLOT_H
#define TENON_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"
#include "tenon.h"

typedef struct Image Image;
typedef struct Realm Realm;
typedef struct Entry Entry;

/* What a guest function finds through its instance. */
struct EngineHost {
    uintptr_t stack_limit; /* first: engine_import_headroom reads it */
    struct Slot *slot;
    Realm *realm;
    Entry *entry;
};

typedef struct Slot {
    struct Slot *next; /* in a pool */
    struct EngineHost host;
    const EngineCode *code;
    const Image *image; /* NULL while an image is being made in it */
    uint8_t *map;
    size_t map_bytes;
    uint8_t *cards;
    uint8_t *instance;
    uint8_t *base;
    EngineMemory *memory; /* inside the instance */
    size_t committed;     /* bytes from base that are mapped readable and writable */
    size_t maximum;       /* where growth ends, for the current run */
    uint8_t *stack_map;
    uint8_t *stack_top;
    bool used;
} Slot;

enum {
    SLOT_STACK_BYTES = 16 * 1024 * 1024,
    SLOT_STACK_GUARD = 64 * 1024,
    SLOT_STACK_KEPT = 256 * 1024, /* resident after a deep recursion */
    SLOT_GROWTH_KEPT = 1024 * 1024
};

/** A slot for `image`; or an empty one to make an image in. NULL if the system refuses memory. */
Slot *slot_new(const tn_allocator *allocator, const EngineCode *code, const Image *image);
void slot_free(const tn_allocator *allocator, Slot *slot);

/** Back to the image. */
void slot_reset(Slot *slot);

/** Set the size of the memory to `bytes` (a multiple of 64 KiB). False if it cannot grow so far. */
bool slot_resize(Slot *slot, size_t bytes);

/** The guest's bytes at an address the guest gave us; NULL if they are not all in its memory. */
uint8_t *slot_bytes(const Slot *slot, uint32_t address, size_t length);

/** Note that the host wrote there. */
void slot_mark(const Slot *slot, uint32_t address, size_t length);

/** Does `address` lie in the slot: its memory, the guard behind it, or the guard of its stack? */
bool slot_owns(const Slot *slot, uintptr_t address);

uint32_t *slot_stack_pointer(const Slot *slot);

#endif
