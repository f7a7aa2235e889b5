#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"

/* ---- the child ---- */

/* What it tells before it becomes another program. */
typedef struct Report {
    unsigned walls;
    int error; /* of exec; only sent if that failed */
} Report;

typedef struct Child {
    const ProcessOrder *order;
    pid_t parent;
    int program;
    int socket;
    int report;
} Child;

/* In the child of a process that may have had many threads: only system calls from here to exec.
 * Handlers are the host's and must not run here; all signals are blocked until they are gone. */
static void reset_signals(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        (void)sigaction(number, &usual, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* After it: 0 and 1 the socket, 2 nowhere, 3 the report, 4 the program, and nothing else is open.
 */
static bool arrange_descriptors(Child *child)
{
    int from[5] = {child->socket, child->socket, open("/dev/null", O_WRONLY | O_CLOEXEC),
                   child->report, child->program};
    for (int i = 0; i < 5; i++) {
        from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 16);
        if (from[i] < 0)
            return false;
    }
    for (int i = 0; i < 5; i++) {
        if (dup3(from[i], i, i > 2 ? O_CLOEXEC : 0) < 0 && errno != EINVAL)
            return false;
    }
    child->report = 3;
    child->program = 4;
    if (syscall(SYS_close_range, 5, ~0U, 0) == 0)
        return true;
    for (int fd = 5; fd < 65536; fd++)
        close(fd);
    return true;
}

static _Noreturn void child_main(Child *child)
{
    Report report = {0, 0};
    ssize_t told;

    reset_signals();
    (void)setsid();
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != child->parent)
        _exit(127);
    if (!arrange_descriptors(child) || chdir("/") != 0)
        _exit(127);
    report.walls = confine(child->program, child->order->memory_bytes);
    told = write(child->report, &report, sizeof report);
    (void)told;
    syscall(SYS_execveat, child->program, "", child->order->arguments, child->order->environment,
            AT_EMPTY_PATH);
    report.error = errno;
    told = write(child->report, &report, sizeof report);
    _exit(127);
}

/* ---- beginning ---- */

static void close_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* A child without the handlers that pthread_atfork has (they may take locks), known by a
 * descriptor from its first moment. Signals are blocked in the keeper, so in the child. */
static pid_t begin_child(Child *child, int *out_handle)
{
    pid_t pid = (pid_t)syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, out_handle, NULL, NULL);

    if (pid == 0)
        child_main(child);
    return pid;
}

/* What the child tells; its exec has worked when the report's other end closes. */
static tn_status hear_report(int fd, unsigned *out_walls)
{
    Report report;
    bool told = false;
    ssize_t count;

    for (;;) {
        count = read(fd, &report, sizeof report);
        if (count < 0 && errno == EINTR)
            continue;
        if (count != sizeof report)
            break;
        *out_walls = report.walls;
        told = true;
        if (report.error != 0)
            return report.error == EMFILE || report.error == ENOMEM ? TN_ERR_SYSTEM
                                                                    : TN_ERR_NOT_FOUND;
    }
    return told ? TN_OK : TN_ERR_SYSTEM;
}

static tn_status start(const ProcessOrder *order, Process *out_process)
{
    int program = open(order->path, O_PATH | O_CLOEXEC);
    int sockets[2] = {-1, -1}, report[2] = {-1, -1};
    Process process = {.socket = -1, .handle = -1, .owner = getpid()};
    tn_status status = TN_ERR_SYSTEM;

    if (program < 0)
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? TN_ERR_SYSTEM
                                                                     : TN_ERR_NOT_FOUND;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0 &&
        pipe2(report, O_CLOEXEC) == 0) {
        Child child = {order, process.owner, program, sockets[1], report[1]};
        process.pid = begin_child(&child, &process.handle);
    }
    close_open(program);
    close_open(sockets[1]);
    close_open(report[1]);
    if (process.pid > 0) {
        process.socket = sockets[0];
        status = hear_report(report[0], &process.walls);
        if (status == TN_OK && fcntl(process.socket, F_SETFL, O_NONBLOCK) == 0)
            *out_process = process;
        else
            (void)process_end(&process, 0);
    } else {
        close_open(sockets[0]);
    }
    close_open(report[0]);
    return status;
}

/* ---- the keeper ---- */

static void *keep(void *context)
{
    Keeper *keeper = context;

    pthread_mutex_lock(&keeper->lock);
    while (!keeper->leaving) {
        if (keeper->order) {
            keeper->status = start(keeper->order, keeper->out_process);
            keeper->order = NULL;
            keeper->done = true;
            pthread_cond_broadcast(&keeper->changed);
        } else {
            pthread_cond_wait(&keeper->changed, &keeper->lock);
        }
    }
    pthread_mutex_unlock(&keeper->lock);
    return NULL;
}

void keeper_init(Keeper *keeper)
{
    *keeper = (Keeper){0};
    pthread_mutex_init(&keeper->lock, NULL);
    pthread_cond_init(&keeper->changed, NULL);
}

void keeper_release(Keeper *keeper)
{
    /* in a child that the host forked, nobody waits here any more, whatever the condition says */
    if (keeper->owner != 0 && keeper->owner != getpid())
        return;
    if (keeper->owner != 0) {
        pthread_mutex_lock(&keeper->lock);
        keeper->leaving = true;
        pthread_cond_broadcast(&keeper->changed);
        pthread_mutex_unlock(&keeper->lock);
        pthread_join(keeper->thread, NULL);
    }
    pthread_cond_destroy(&keeper->changed);
    pthread_mutex_destroy(&keeper->lock);
}

/* The thread has every signal blocked: the host's handlers run on the host's threads. */
static bool begin_keeping(Keeper *keeper)
{
    sigset_t all, before;
    pthread_attr_t attributes;

    if (keeper->owner == getpid())
        return true;
    if (keeper->owner != 0)
        keeper_init(keeper); /* in a child that the host forked, which has no such thread */
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, (size_t)256 * 1024);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&keeper->thread, &attributes, keep, keeper) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (begun)
        keeper->owner = getpid();
    return begun;
}

tn_status keeper_start(Keeper *keeper, const ProcessOrder *order, Process *out_process)
{
    if (!begin_keeping(keeper))
        return TN_ERR_SYSTEM;
    pthread_mutex_lock(&keeper->lock);
    keeper->order = order;
    keeper->out_process = out_process;
    keeper->done = false;
    pthread_cond_broadcast(&keeper->changed);
    while (!keeper->done)
        pthread_cond_wait(&keeper->changed, &keeper->lock);
    tn_status status = keeper->status;
    pthread_mutex_unlock(&keeper->lock);
    return status;
}

/* ---- ending ---- */

/* Somebody else's wait for any child may have taken ours: then nothing is known of it. */
static ProcessEnd reap(const Process *process, uint64_t memory_bytes)
{
    int how;
    struct rusage used;
    pid_t got;

    do
        got = wait4(process->pid, &how, 0, &used);
    while (got < 0 && errno == EINTR);
    if (got != process->pid)
        return PROCESS_ENDED;
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
        return PROCESS_OVER_CPU;
    return (uint64_t)used.ru_maxrss * 1024 > memory_bytes / 2 ? PROCESS_OVER_MEMORY : PROCESS_ENDED;
}

ProcessEnd process_end(Process *process, uint64_t memory_bytes)
{
    ProcessEnd end = PROCESS_ENDED;

    if (process->socket >= 0 || process->handle >= 0) {
        close_open(process->socket);
        /* in a child that the host forked, it is not ours to end */
        if (process->owner == getpid()) {
            (void)syscall(SYS_pidfd_send_signal, process->handle, SIGKILL, NULL, 0);
            end = reap(process, memory_bytes);
        }
        close_open(process->handle);
    }
    *process = PROCESS_NONE;
    return end;
}

/* ---- what it uses ---- */

double process_cpu_ms(const Process *process)
{
    clockid_t clock;
    struct timespec time;

    if (clock_getcpuclockid(process->pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

uint64_t process_resident_bytes(const Process *process)
{
    char path[40], text[128];
    unsigned long long size, resident;

    if (process->socket < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t got = read(fd, text, sizeof text - 1);
    close(fd);
    text[got > 0 ? got : 0] = '\0';
    if (sscanf(text, "%llu %llu", &size, &resident) != 2)
        return 0;
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

void process_allow_cpu(const Process *process, double more_ms)
{
    double seconds = (process_cpu_ms(process) + more_ms) / 1e3 + 1;
    /* only the soft limit: who has lowered the hard one cannot raise it again */
    struct rlimit limit = {(rlim_t)seconds, RLIM_INFINITY};

    (void)prlimit(process->pid, RLIMIT_CPU, &limit, NULL);
}
