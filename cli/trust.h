/*
 * `.mcp.json` of a project, and whether its owner said that it counts.
 *
 * Such a file arrives with a clone, and names programs to be started: until somebody looked at it,
 * nothing in it happens. What was looked at is known again by where it truly lies (symbolic links
 * followed) and by the digest of its content, so another file at its place, or another content, is
 * one that nobody looked at. It is opened once: what was digested is what is used.
 */
#ifndef TENON_CLI_TRUST_H
#define TENON_CLI_TRUST_H

#include "files.h"
#include "kept.h"
#include "sha256.h"

#include <stdbool.h>

typedef enum Trust {
    TRUST_NONE,    /* never trusted */
    TRUST_CHANGED, /* trusted with another content */
    TRUST_GIVEN
} Trust;

typedef struct TrustFile {
    const char *path; /* where it truly lies */
    Text text;        /* malloc'ed */
    char digest[SHA256_HEX + 1];
} TrustFile;

/* The nearest `.mcp.json` from the current folder up, up to the first folder that has a `.git`, the
 * home folder or the root. NULL: there is none. */
const char *trust_find(Kept *kept);
/* The same for a file of another name. */
const char *trust_find_named(Kept *kept, const char *name);

/* Open and read it. NULL: done; else why it is refused, as part of a sentence. */
const char *trust_open(Kept *kept, const char *path, TrustFile *out);

/* What was said of it. A list that others could have written counts for nothing, and is told. */
Trust trust_of(Kept *kept, const TrustFile *file);

/* From now on it is trusted (`digest`), or is not (NULL). Complains and returns an exit code, or
 * 0. `*out_known`: was something said of it before? */
int trust_set(Kept *kept, const char *path, const char *digest, bool *out_known);

/* Each file that is in the list, until `each` returns false. */
void trust_each(Kept *kept, bool (*each)(void *user, const char *path, const char *digest),
                void *user);

/* The folder of what the command remembers, made if `make`; NULL: there is no place for it. */
const char *state_folder(Kept *kept, bool make);

#endif
