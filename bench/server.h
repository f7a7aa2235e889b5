/* bench/: the same work done by Tenon and by others, in one sitting, as ratios.
 *
 * What is compared must be run side by side: a figure from a quiet morning says nothing against one
 * from a busy evening. So every engine is a small process that waits for a line on its standard
 * input, does what the line says, and answers with the time it took (two times: on the wall, and of
 * the processor, which is the steadier one while others work). measure.py asks them in turn, round
 * after round (A B C A B C ...), and takes medians over the rounds.
 *
 * Reading order: program.js and loops.js (the ten lines that are run), speed/ (the work that the
 * engine itself is measured by), contained.c (Tenon), native.c (quickjs-ng as it comes), peers.mjs
 * (what npm has), mcp.c, clients.mjs and tokens.mjs (tools of MCP servers), measure.py (asks, and
 * prints the table), run (makes all that ready).
 *
 * The invariant: no figure fails anything. Bars are printed beside the figures; time is never a
 * test's verdict, since the machine is shared. What is tested is that all give the same answer. */
#ifndef BENCH_SERVER_H
#define BENCH_SERVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct Case {
    const char *name;
    /* Do it `count` times and print the answer's numbers. */
    void (*run)(unsigned long count, const char *argument);
} Case;

/** Read "NAME COUNT [ARGUMENT]" lines until they end; answer each with one line. Ends the process.
 */
void serve(const Case *cases, size_t count);

/** Time that was spent, by the clock on the wall and by the process's own. */
typedef struct Elapsed {
    int64_t wall_ns, cpu_ns;
} Elapsed;

/** They add up: each begin needs its end. */
void elapsed_begin(Elapsed *elapsed);
void elapsed_end(Elapsed *elapsed);

uint64_t now_ns(void);
/** The answer of a case: nanoseconds, on the wall and of the processor. */
void answer_elapsed(const Elapsed *elapsed);
void answer_two(double first, double second);
void answer_text(const char *text, size_t length);
/** Say why and end: what does not work is not measured. */
_Noreturn void give_up(const char *what, const char *why);
/** A whole file, NUL behind it. Freed by the caller. */
char *read_file(const char *path, size_t *out_length);

#endif
