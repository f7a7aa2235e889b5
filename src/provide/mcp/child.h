/* One process begun with pipes: child.c knows nothing of the protocol.
 *
 * The host may have threads, handlers and children of its own: no handler is set, none of the
 * host's runs in the child, only our own child is waited for, and it is known by a descriptor. It
 * leads a session and so a process group of its own, and dies with the thread that began it. */
#ifndef TENON_CHILD_H
#define TENON_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ChildOrder {
    const char *const *paths;       /* tried in this order; ends with NULL */
    const char *const *arguments;   /* the first is the name; ends with NULL */
    const char *const *environment; /* all of it; ends with NULL */
    const char *folder;             /* NULL: the host's */
} ChildOrder;

typedef struct Child {
    pid_t pid;
    int handle;       /* a pidfd */
    int in, out, err; /* our ends */
} Child;

typedef enum ChildFault {
    CHILD_BEGUN,
    CHILD_NO_PROCESS,
    CHILD_NO_FOLDER,
    CHILD_NO_PROGRAM
} ChildFault;

/** Blocks until the program runs or could not be begun; `out_error` is then an errno. */
ChildFault child_begin(const ChildOrder *order, Child *out_child, int *out_error);

/** Signal its whole group. */
void child_signal(const Child *child, int signal);

/** After its end: end what it left of its group, and wait for it. Its status as of waitpid; -1 if
 * somebody else has taken it. Closes the handle. */
int child_reap(Child *child);

#endif
