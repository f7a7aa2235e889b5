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

#endif
