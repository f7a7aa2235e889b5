#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

/* What the child tells if it cannot become the program. */
typedef struct Report {
    int fault;
    int error;
} Report;

typedef struct Ends {
    int in[2], out[2], err[2], report[2];
} Ends;

static void close_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

static void close_pair(int pair[2])
{
    close_open(pair[0]);
    close_open(pair[1]);
}

/* ---- in the child: a copy of a process that may have had many threads, so only system calls ----
 */

static void reset_signals(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        (void)sigaction(number, &usual, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void give_up(int report, ChildFault fault, int error)
{
    Report told = {(int)fault, error};
    ssize_t written = write(report, &told, sizeof told);

    (void)written;
    _exit(127);
}

/* 0, 1 and 2 are the pipes, 3 the report, and nothing else is open. */
static int arrange_descriptors(const Ends *ends)
{
    int from[4] = {ends->in[0], ends->out[1], ends->err[1], ends->report[1]};

    for (int i = 0; i < 4; i++) {
        from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 16);
        if (from[i] < 0)
            give_up(ends->report[1], CHILD_NO_PROCESS, errno);
    }
    for (int i = 0; i < 4; i++)
        (void)dup3(from[i], i, i == 3 ? O_CLOEXEC : 0);
    if (syscall(SYS_close_range, 4, ~0U, 0) != 0) {
        for (int fd = 4; fd < 65536; fd++)
            close(fd);
    }
    return 3;
}

/* The paths are tried as a shell does: what may not be executed is remembered, what is not there
 * is not. */
static _Noreturn void child_main(const ChildOrder *order, const Ends *ends, pid_t parent)
{
    int error = ENOENT;

    reset_signals();
    (void)setsid();
    int report = arrange_descriptors(ends);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent)
        give_up(report, CHILD_NO_PROCESS, errno);
    if (order->folder && chdir(order->folder) != 0)
        give_up(report, CHILD_NO_FOLDER, errno);
    for (const char *const *path = order->paths; *path; path++) {
        execve(*path, (char *const *)(uintptr_t)order->arguments,
               (char *const *)(uintptr_t)order->environment);
        if (errno != ENOENT && errno != ENOTDIR)
            error = errno;
    }
    give_up(report, CHILD_NO_PROGRAM, error);
}

/* ---- in the parent ---- */

/* Without the handlers of pthread_atfork, which may take locks; known by a descriptor from its
 * first moment. The caller has all signals blocked, and so has the child until it has reset them.
 */
static pid_t begin(const ChildOrder *order, const Ends *ends, int *out_handle)
{
    pid_t parent = getpid();
    pid_t pid = (pid_t)syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, out_handle, NULL, NULL);

    if (pid == 0)
        child_main(order, ends, parent);
    return pid;
}

static bool hear_report(int fd, Report *out_report)
{
    ssize_t count;

    do
        count = read(fd, out_report, sizeof *out_report);
    while (count < 0 && errno == EINTR);
    return count == sizeof *out_report;
}

ChildFault child_begin(const ChildOrder *order, Child *out_child, int *out_error)
{
    Ends ends = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    Child child = {.handle = -1};
    Report report = {CHILD_NO_PROCESS, 0};
    bool begun = false;

    if (pipe2(ends.in, O_CLOEXEC) == 0 && pipe2(ends.out, O_CLOEXEC) == 0 &&
        pipe2(ends.err, O_CLOEXEC) == 0 && pipe2(ends.report, O_CLOEXEC) == 0) {
        child.pid = begin(order, &ends, &child.handle);
        begun = child.pid > 0;
    }
    report.error = errno;
    close_open(ends.in[0]);
    close_open(ends.out[1]);
    close_open(ends.err[1]);
    close_open(ends.report[1]);
    ends.in[0] = ends.out[1] = ends.err[1] = ends.report[1] = -1;
    if (begun && !hear_report(ends.report[0], &report)) {
        close_open(ends.report[0]);
        child.in = ends.in[1];
        child.out = ends.out[0];
        child.err = ends.err[0];
        *out_child = child;
        return CHILD_BEGUN;
    }
    if (begun)
        (void)child_reap(&child);
    close_pair(ends.in);
    close_pair(ends.out);
    close_pair(ends.err);
    close_pair(ends.report);
    *out_error = report.error;
    return (ChildFault)report.fault;
}

void child_signal(const Child *child, int signal)
{
    siginfo_t info = {0};

    /* while it is ours to wait for, its number is no other's */
    if (waitid((idtype_t)P_PIDFD, (id_t)child->handle, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
        (void)kill(-child->pid, signal);
    else
        (void)syscall(SYS_pidfd_send_signal, child->handle, signal, NULL, 0);
}

int child_reap(Child *child)
{
    int status = -1;
    pid_t got;

    child_signal(child, SIGKILL);
    do
        got = waitpid(child->pid, &status, 0);
    while (got < 0 && errno == EINTR);
    close_open(child->handle);
    child->handle = -1;
    return got == child->pid ? status : -1;
}
