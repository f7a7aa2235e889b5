/*
 * Secrets by reference. A file that people share says where a secret is, never what it is:
 *
 *   env:NAME        a variable of the environment
 *   file:PATH       what stands in a file; ~/ is the home folder
 *   command:LINE    what a line for the shell prints, as "pass show github"
 *
 * The line break at the end does not count. What is read goes to where it is needed, and to no
 * complaint, journal or trace.
 */
#ifndef TENON_CLI_SECRET_H
#define TENON_CLI_SECRET_H

#include "kept.h"

#include <stdbool.h>

/* Is it one of these three forms? */
bool secret_is_reference(const char *text);

/*
 * The secret, in `kept`; a PATH that is not absolute is looked for in `folder` (NULL: the current
 * one). NULL: `*out_why` says why not, as "the variable X is not set", without any secret.
 */
const char *secret_read(Kept *kept, const char *reference, const char *folder,
                        const char **out_why);

/* PATH from `folder`, with ~/ as the home folder. NULL: out of memory. */
const char *path_from(Kept *kept, const char *folder, const char *path);

/* Is it the name of something secret: API_KEY, --token, Authorization? */
bool secret_named(const char *name, size_t length);

/* Can it be a key or a token? Then it is no path, no program text and no name of a variable. */
bool secret_likely(const char *text, size_t length);

#endif
