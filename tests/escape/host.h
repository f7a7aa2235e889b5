/*
 * The functions that cases may call: tools.test.{echo, fail, slow, count}, and a package `host` and
 * one `github` for ../faults. Each run has a Meter, its context: how often it called, how many
 * calls are open, most at one time.
 */
#ifndef HOST_H
#define HOST_H

#include "tenon.h"

typedef struct Meter {
    /* all atomic */
    unsigned calls;   /* that reached a function */
    unsigned counted; /* of tools.test.count */
    unsigned open;    /* deferred and not finished */
    unsigned most_open;
    unsigned cancelled; /* told so */
} Meter;

/** Add them all. */
tn_status host_add(tn_engine *engine);

/** The thread that answers what is slow. Start it once; stopping waits until all is answered. */
void host_start(void);
void host_stop(void);

#endif
