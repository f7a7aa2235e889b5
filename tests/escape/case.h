/*
 * Cases: programs in files, with what they must come to in their first lines.
 *
 *   // title: Empty infinite loop
 *   // mode: body
 *   // expect: deadline or js-error:RangeError
 *   // also: line 4
 *   for (;;);
 *
 * This folder holds the hostile ones (escape-NNN) and the runner, which ../faults uses too. Reading
 * order: case (a file's head), host (the functions a case may call), expect (is this outcome what
 * the head says?), run_cases (the runner: what must be so after every case). Adding a case is
 * adding a file.
 *
 * The invariant: **a case is judged by its own head.** The runner knows no case by name.
 *
 * mode    `body` the file as it is; `raw-body` the same, where the text itself is the attack;
 *         `body-twice` two runs, each fresh, must both be as expected; `module` a module; `text`
 *         what follows the head's last line, `// ---`, and not the head.
 * expect  alternatives joined by " or ": value:JSON, value-any, value-text:WORD, js-error:NAME (or
 *         any), denied, deadline, memory-limit, stack-limit, output-limit, tool-limit, no-settle.
 *         In JSON what it has no word for is written in its `$type` form.
 * also    one more thing that must hold, as many lines as one likes; see expect.c for the words.
 * memory  the case is run once with each of these sizes: 1M 2M 4M.
 * limits  wall=2000 cpu=100 calls=10 console=1024 result=1024 argument=9 reply=9 timers=5 depth=5
 *         linger=50 open=2
 * zone, locale, now (ms), seed, input (JSON): options of the run.
 */
#ifndef CASE_H
#define CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon.h"

enum { CASE_ALSO_MOST = 40, CASE_MEMORIES_MOST = 8 };

typedef struct Case {
    char *file;       /* the whole file */
    char name[128];   /* its last two path parts */
    const char *text; /* the program */
    size_t length;
    char *mode, *expect, *zone, *locale, *input;
    char *also[CASE_ALSO_MOST];
    size_t also_count;
    tn_limits limits; /* those that the head names */
    uint64_t memories[CASE_MEMORIES_MOST];
    size_t memory_count;
    double now_ms;
    bool seeded;
    uint64_t seed;
} Case;

/** Read a case's file. NULL, having said why, if it cannot be read or its head is not one. */
Case *case_read(const char *path);
void case_free(Case *one);

/** The number of runs. */
unsigned case_times(const Case *one);

#endif
