/* --policy, --allow, --deny, --ask, --override, --bind. */
#ifndef TENON_CLI_POLICY_H
#define TENON_CLI_POLICY_H

#include "options.h"

#include <stdio.h>

/* The policy that was asked for, NULL if none was. Complains and returns an exit code, or 0. */
int policy_read(const Settings *settings, tn_policy **out_policy);

/* What of it fits no function is a slip, told on stderr. The engine is open; the policy may be
 * NULL. */
void policy_tell_unmatched(tn_engine *engine, const tn_policy *policy);

/* Is there a terminal at which somebody can be asked? It is kept open until the end. */
bool terminal_open(void);

/* It is one person's: who asks more than one thing holds it meanwhile. What is written there. */
FILE *terminal_take(void);
void terminal_give(void);

/* One line that is typed there, cut at `room`. False: a signal came, or the terminal went away. */
bool terminal_line(char *line, size_t room);

/* Ask there, in these words. Only `y` and `yes` are a yes. */
bool terminal_confirm(const char *question);

/* Ask there: tn_run_options.ask, whose user is the program's name. Only `y` and `yes` are a yes. */
void terminal_ask(void *program_name, tn_question *question);

#endif
