/* What MCP servers ask of a person, asked at the terminal. */
#ifndef TENON_CLI_ELICIT_H
#define TENON_CLI_ELICIT_H

#include <tenon.h>

/* tn_engine_options.elicit. Where there is no terminal it is cancelled, and that is told. */
void elicit_at_terminal(void *user, tn_elicitation *elicitation);

#endif
