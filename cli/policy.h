/* --policy, --allow, --deny, --ask. */
#ifndef TENON_CLI_POLICY_H
#define TENON_CLI_POLICY_H

#include "options.h"

/* The policy that was asked for, NULL if none was. Complains and returns an exit code, or 0. */
int policy_read(const Settings *settings, tn_policy **out_policy);

/* Is there a terminal at which somebody can be asked? It is kept open until the end. */
bool terminal_open(void);

/* Ask there, in these words. Only `y` and `yes` are a yes. */
bool terminal_confirm(const char *question);

/* Ask there: tn_run_options.ask, whose user is the program's name. Only `y` and `yes` are a yes. */
void terminal_ask(void *program_name, tn_question *question);

#endif
