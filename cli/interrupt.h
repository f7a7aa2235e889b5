/*
 * Ctrl-C and SIGTERM while a program runs.
 *
 * Both signals are blocked and taken by a thread of their own, since the main thread may be deep in
 * the program's computing and tn_run_cancel may be called from any thread but not from a handler.
 * The first signal cancels the run, at its start if it came before, so that there is an outcome;
 * the second one, or any that comes when the run is over, ends the process at once as it would have
 * without us.
 */
#ifndef TENON_CLI_INTERRUPT_H
#define TENON_CLI_INTERRUPT_H

#include <tenon.h>

/* Begin before any other thread is made. A system that refuses leaves the signals as they were. */
void interrupt_begin(void);
/* The run that a signal cancels; NULL: none any more. */
void interrupt_watch(tn_run *run);
/* Readable once a signal has cancelled the run, for who waits for a person; -1: refused. */
int interrupt_descriptor(void);
/* The signal that cancelled the run; 0: none did. */
int interrupt_signal(void);

#endif
