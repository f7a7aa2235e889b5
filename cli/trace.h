/* `tenon trace`: what a run called, from the journal. */
#ifndef TENON_CLI_TRACE_H
#define TENON_CLI_TRACE_H

#include "options.h"

int trace_command(const Settings *settings);

#endif
