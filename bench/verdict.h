/* For tools/test262.py: a process that is given programs and says how each ended.
 *
 * On standard input, each program is a line with its length in bytes, then its bytes. On standard
 * output, one line for each: what the program set as its verdict, or what befell it. Two of these
 * are built from the same frame: one over Tenon, one over quickjs-ng as it comes. */
#ifndef BENCH_VERDICT_H
#define BENCH_VERDICT_H

#include <stddef.h>

enum { VERDICT_CPU_MS = 10000, VERDICT_MEMORY_BYTES = 512 << 20 };

/* What a program's text begins its verdict with; the rest of it is the line. */
#define VERDICT_MARK "verdict:"

/** Read programs until there are no more; `judge` prints one line for each. */
void judge_all(void (*judge)(const char *text, size_t length));
/** Print a line of two parts, without the line breaks that may be in them. */
void say(const char *first, const char *second, size_t length);

#endif
