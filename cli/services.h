/* Services that OpenAPI documents describe: --openapi, --credential, and "openapi" in a file of
 * servers. */
#ifndef TENON_CLI_SERVICES_H
#define TENON_CLI_SERVICES_H

#include "options.h"
#include "variables.h"

/* Add every --openapi to the engine. Complains and returns an exit code, or 0. */
int services_add(const Settings *settings, tn_engine *engine);

/* Add those that the file in `scope` names. */
int services_add_section(Scope *scope, tn_engine *engine);

#endif
