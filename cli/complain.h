/* What the command says when it cannot go on, and the exit codes. */
#ifndef TENON_CLI_COMPLAIN_H
#define TENON_CLI_COMPLAIN_H

#include <tenon.h>

/* Fixed: scripts depend on them. Listed in the man page, in --help and in docs/cli.md. */
enum {
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_REFUSED = 3,
    EXIT_DENIED = 4,
    EXIT_LIMIT = 5,
    EXIT_SUSPENDED = 6,
    EXIT_UNAVAILABLE = 7,
    EXIT_CRASHED = 8,
    EXIT_SIGNAL = 128 /* and the signal's number: 130 for SIGINT, 143 for SIGTERM */
};

/*
 * Two lines on stderr: what is wrong and where, then how to mend it. Both return EXIT_USAGE, so
 * that a parser can say `return complain(...)`.
 */
__attribute__((format(printf, 2, 3))) int complain(const char *remedy, const char *format, ...);

/* The same with one word inside the remedy, where its %s stands. */
__attribute__((format(printf, 3, 4))) int complain_about(const char *remedy, const char *word,
                                                         const char *format, ...);

/* The library could not do it: nothing that the program did. Returns the exit code. */
int library_failed(tn_status status, const char *doing);

#endif
