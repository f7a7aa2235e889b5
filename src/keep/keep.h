/*
 * keep: what is worth knowing at the next start, in one file of SQLite.
 *
 * Two tables: the catalogue of each server (what it offered when it was last asked), and for each
 * function without an output schema the shape of its results (learn). Both are named by a key that
 * the caller makes of how a server is configured; only a hash of it is in the file, since arguments
 * and addresses may hold secrets. Many processes use one file at the same time.
 *
 * The invariant: **a cache is never needed.** A file that cannot be opened, is somebody else's, is
 * locked for too long, is full or broken costs what it would have saved, and nothing else; a broken
 * one is begun anew. What is read of it is data of that one server: it is checked as if the server
 * had just sent it.
 */
#ifndef KEEP_H
#define KEEP_H

#include "arena.h"
#include "buf.h"
#include "hash.h"

typedef struct Keep Keep;

/** A hash of how a server is configured. */
typedef struct KeepKey {
    char hex[HASH_HEX_BYTES];
} KeepKey;

/** `parts`: what makes the configuration, told apart by its lengths. */
KeepKey keep_key(const Buf *parts);
void keep_key_part(Buf *parts, const char *text, size_t length);

typedef struct KeptCatalogue {
    const char *version; /* the server's own; "" if it says none */
    double stored_ms;    /* since 1970 */
    double expires_ms;   /* not to be used from then on */
    tn_value document;
} KeptCatalogue;

/**
 * Open the file, made if need be (0600). NULL: it cannot be used, or there is no memory.
 *
 * Threads: all functions may be called from any thread.
 */
Keep *keep_open(const tn_allocator *allocator, const char *path);
void keep_close(Keep *keep);

/** False: there is none. All is in the arena. */
bool keep_catalogue(Keep *keep, const KeepKey *key, Arena *arena, KeptCatalogue *out_catalogue);
void keep_put_catalogue(Keep *keep, const KeepKey *key, const KeptCatalogue *catalogue);

/** The shape of a function's results; TN_TYPE_NONE if there is none. In the arena. */
tn_value keep_learned(Keep *keep, const KeepKey *key, const char *version, const char *tool,
                      Arena *arena);

/** Change it, others kept out meanwhile: `join` appends what is to be kept. What is kept of this
 * server under other versions is forgotten. */
typedef void KeepJoin(void *context, tn_value kept, Buf *out);
void keep_change_learned(Keep *keep, const KeepKey *key, const char *version, const char *tool,
                         KeepJoin *join, void *context);

#endif
