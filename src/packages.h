/* Packages that come from elsewhere: what an MCP server offers becomes functions of a package. */
#ifndef TENON_PACKAGES_H
#define TENON_PACKAGES_H

#include "whole.h"

/**
 * Start all servers side by side; name, declare and register what they offer. What cannot be had is
 * a problem of the engine, never an error.
 *
 * Errors: TN_ERR_NOMEM.
 */
tn_status packages_open(tn_engine *engine);
/** What results of a function have looked like; NULL: not known, or promised. */
const struct Learned *packages_learned(const RegistryEntry *entry);
void packages_close(tn_engine *engine);

/** Is it of a package whose server could not be had? What it names may be right. */
bool packages_missing(const tn_engine *engine, const char *pattern);

/* ---- what all kinds of packages share ---- */

/** A problem of the engine: text of the registry's arena; NULL: none. */
void packages_problem(tn_engine *engine, const char *text);
/** Can a package have this name, and is it free? TN_OK, TN_ERR_ARGUMENT, TN_ERR_STATE. */
tn_status packages_may_add(const tn_engine *engine, const char *name);

/** A function that takes one object. */
typedef struct Taker {
    const struct Schema *input; /* NULL: it says nothing of it */
    const char *type;           /* of its argument, as text */
    size_t type_length;
    bool needs_argument;
} Taker;

/** Of an ArgumentCheck whose context is a Taker: what the type cannot say is enforced here. */
bool taker_fits(const void *context, const tn_value *arguments, size_t *count, Arena *scratch,
                Misfit *out_misfit);
/** The argument of a call; an empty object where there is none. */
tn_value taker_argument(const tn_call *call);

#endif
