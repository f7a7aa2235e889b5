/*
 * A library in a process that is not its own: signals, handlers and stacks that others have taken,
 * small threads, many engines, a fork.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "try.h"

static const char search[] = "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)";

/* Runs that are stopped both ways, and one that is well. */
static void stop_some(Try *try)
{
    double start_ms;

    try->limits = (tn_limits){.size = sizeof(tn_limits), .wall_ms = 60};
    start_ms = check_now_ms();
    try_run(try, search);
    CHECK(try_is_limit(try, "wall"));
    CHECK_SAY(check_now_ms() - start_ms < 60 + 1500, "%.1f ms", check_now_ms() - start_ms);
    try_run(try, "for (;;);");
    CHECK(try_is_limit(try, "wall"));
    try->limits = (tn_limits){0};
    CHECK(try_gives(try, "1 + 1", "2"));
}

/* ---- the embedder's handlers ---- */

static volatile sig_atomic_t faults, ticks, default_ticks;
static sigjmp_buf after_fault;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info, (void)context;
    faults++;
    siglongjmp(after_fault, 1);
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    if (info->si_code == SI_QUEUE && info->si_value.sival_int == 77)
        ticks++;
    else
        default_ticks++;
}

static void take(int signal, void (*handler)(int, siginfo_t *, void *),
                 struct sigaction *out_before)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

    sigemptyset(&action.sa_mask);
    CHECK(sigaction(signal, &action, out_before) == 0);
}

/* A fault of the embedder's own. */
static void fault(void)
{
    volatile bool written = false;
    volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (!CHECK(page != MAP_FAILED))
        return;
    if (sigsetjmp(after_fault, 1) == 0) {
        *page = 1;
        written = true;
    }
    CHECK(!written);
    (void)munmap((void *)(uintptr_t)page, 4096);
}

static void handlers_before_ours(void)
{
    Try try = {.bounds = TN_BOUNDS_GUARD};
    struct sigaction fault_before, tick_before, now;
    int tick = SIGRTMIN + 6;

    faults = ticks = default_ticks = 0;
    take(SIGSEGV, on_fault, &fault_before);
    take(tick, on_signal, &tick_before);
    stop_some(&try);
    /* while the engine has its handlers in place, theirs still get what is not ours */
    fault();
    CHECK(faults == 1);
    CHECK(sigqueue(getpid(), tick, (union sigval){.sival_int = 77}) == 0);
    CHECK(ticks == 1);
    CHECK(default_ticks == 0);
    stop_some(&try);
    try_end(&try);
    /* and afterwards, too */
    fault();
    CHECK(faults == 2);
    CHECK(sigqueue(getpid(), tick, (union sigval){.sival_int = 77}) == 0);
    CHECK(ticks == 2);
    CHECK(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_sigaction == on_fault);
    CHECK(sigaction(tick, &tick_before, NULL) == 0);
    CHECK(sigaction(SIGSEGV, &fault_before, NULL) == 0);
}

static void checked_takes_no_fault_handler(void)
{
    Try try = {.bounds = TN_BOUNDS_CHECKED};
    struct sigaction before, now;

    take(SIGSEGV, on_fault, &before);
    stop_some(&try);
    CHECK(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_sigaction == on_fault);
#ifndef __SANITIZE_ADDRESS__ /* which has a handler of its own */
    CHECK(sigaction(SIGBUS, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
#endif
    try_end(&try);
    CHECK(sigaction(SIGSEGV, &before, NULL) == 0);
}

/* Handlers that the embedder puts on top of ours, which pass on to ours, and ours on top again. */
static struct sigaction under;
static volatile sig_atomic_t passed;

static void pass_down(int signal, siginfo_t *info, void *context)
{
    passed++;
    if (passed < 100)
        under.sa_sigaction(signal, info, context);
}

static void handlers_in_between(void)
{
    Try first = {.bounds = TN_BOUNDS_GUARD}, second = {.bounds = TN_BOUNDS_GUARD};
    struct sigaction fault_before, now;

    faults = passed = 0;
    take(SIGSEGV, on_fault, &fault_before);
    stop_some(&first);
    CHECK(sigaction(SIGSEGV, NULL, &under) == 0 && under.sa_sigaction != on_fault);
    take(SIGSEGV, pass_down, &now);
    stop_some(&second);
    /* second's, then the one in between, then ours again: it ends at the embedder's first */
    fault();
    CHECK_SAY(passed == 1 && faults == 1, "%d passed on, %d faults", (int)passed, (int)faults);
    fault();
    CHECK(passed == 2 && faults == 2);
    try_end(&second);
    try_end(&first);
    CHECK(sigaction(SIGSEGV, &fault_before, NULL) == 0);
}

/* Where the system has no timer for a thread, nothing could stop a program: it is not begun. */
static tn_engine *without_timer;

static void *run_without_timer(void *program)
{
    tn_outcome *outcome = NULL;
    tn_program *other = NULL;
    tn_engine *engine = without_timer;

    CHECK(tn_run_program(program, NULL, &outcome) == TN_ERR_UNAVAILABLE);
    CHECK(outcome == NULL);
    CHECK(tn_program_new(engine, "1", 1, NULL, &other) == TN_ERR_UNAVAILABLE);
    return NULL;
}

static void no_timer_here(void)
{
    struct rlimit none = {0, 0};
    Try try = {0};
    tn_program *program = NULL;
    pthread_t thread;

    without_timer = try_engine(&try);
    CHECK(try_gives(&try, "40 + 2", "42"));
    CHECK(tn_program_new(without_timer, "40 + 2", 6, NULL, &program) == TN_OK);
    CHECK(setrlimit(RLIMIT_SIGPENDING, &none) == 0);
    if (program && CHECK(pthread_create(&thread, NULL, run_without_timer, program) == 0))
        (void)pthread_join(thread, NULL);
    /* this thread has one already */
    CHECK(try_gives(&try, "40 + 3", "43"));
    tn_program_free(program);
    try_end(&try);
}

static void no_timer(void)
{
    int status = -1;
    pid_t child;

    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        check_wrong_ = 0;
        no_timer_here();
        _exit(check_wrong_ ? 1 : 0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_SAY(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child's status is %x",
              (unsigned)status);
}

/* A host function that faults inside a call: the embedder's handler gets it, not ours. */
static void faulty_function(void *user, tn_call *call)
{
    (void)user, (void)call;
    fault();
}

static void add_faulty(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.fault", faulty_function, NULL, TN_FUNCTION_SYNC) ==
          TN_OK);
}

static void a_fault_in_a_host_function(void)
{
    Try try = {.setup = add_faulty};
    struct sigaction before;

    faults = 0;
    take(SIGSEGV, on_fault, &before);
    CHECK(try_gives(&try, "h.fault(); h.fault(); 4", "4"));
    CHECK(faults == 2);
    try_end(&try);
    CHECK(sigaction(SIGSEGV, &before, NULL) == 0);
}

static void another_signal(void)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    struct sigaction before;
    Try try = {0};

    usleep(50000); /* the timer of the tests before stops itself at its next tick */
    ticks = default_ticks = 0;
    take(SIGRTMIN + 6, on_signal, &before);
    options.signal = SIGRTMIN + 9;
    if (!CHECK(tn_engine_new(&options, &try.engine) == TN_OK))
        return;
    stop_some(&try);
    CHECK(ticks == 0 && default_ticks == 0);
    try_end(&try);
    CHECK(sigaction(SIGRTMIN + 6, &before, NULL) == 0);
}

/* The signal is blocked by the thread: a run unblocks it while it is inside, and only then. */
static void blocked_signal(void)
{
    sigset_t ours, before, now;
    Try try = {0};

    sigemptyset(&ours);
    sigaddset(&ours, SIGRTMIN + 6);
    sigaddset(&ours, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &ours, &before) == 0);
    stop_some(&try);
    CHECK(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    CHECK(sigismember(&now, SIGRTMIN + 6) == 1 && sigismember(&now, SIGUSR1) == 1);
    try_end(&try);
    CHECK(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
}

static void own_alternate_stack(void)
{
    static char room[64 * 1024];
    stack_t ours = {.ss_sp = room, .ss_size = sizeof room}, before, now;
    Try try = {0};

    CHECK(sigaltstack(&ours, &before) == 0);
    stop_some(&try);
    CHECK(sigaltstack(NULL, &now) == 0 && now.ss_sp == room && now.ss_size == sizeof room);
    try_end(&try);
    CHECK(sigaltstack(&before, NULL) == 0);
}

/* A call of the system that our signal interrupts goes on: a slow read in a host function. */
static void slow_read(void *user, tn_call *call)
{
    int *ends = user;
    char byte = 0;
    ssize_t got = read(ends[0], &byte, 1);

    CHECK_SAY(got == 1, "%s", strerror(errno));
    tn_put_int(tn_call_result(call), byte);
}

static int pipe_ends[2];

static void add_read(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.read", slow_read, pipe_ends, TN_FUNCTION_SYNC) ==
          TN_OK);
}

static void *write_soon(void *unused)
{
    (void)unused;
    usleep(120000);
    CHECK(write(pipe_ends[1], "\7", 1) == 1);
    return NULL;
}

static void interrupted_calls_go_on(void)
{
    Try try = {.setup = add_read};
    pthread_t thread;

    if (!CHECK(pipe(pipe_ends) == 0) ||
        !CHECK(pthread_create(&thread, NULL, write_soon, NULL) == 0))
        return;
    CHECK(try_gives(&try, "for (const t = Date.now() + 30; Date.now() < t;); h.read()", "7"));
    pthread_join(thread, NULL);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    try_end(&try);
}

/* ---- threads ---- */

static void *in_a_small_thread(void *argument)
{
    Try *try = argument;

    stop_some(try);
    CHECK(try_gives(
        try, "let n = 0; const f = () => { n++; f(); }; try { f(); } catch {} n >= 5000", "true"));
    CHECK(try_gives(try,
                    "const to = { toString() { return `${to}`; } }; let m; "
                    "try { String(to); } catch (e) { m = e.name; } m",
                    "\"RangeError\""));
    CHECK(try_gives(try,
                    "let d = []; for (let i = 0; i < 900; i++) d = [d]; "
                    "JSON.stringify(JSON.parse(JSON.stringify(d))).length",
                    "1802"));
    CHECK(try_gives(try, "JSON.stringify(/^(?:a|b)*c/.test('ab'.repeat(100000)))", "\"false\""));
    try_clear(try);
    return NULL;
}

static void a_small_thread(void)
{
    Try try = {0};
    pthread_attr_t attributes;
    pthread_t thread;

    if (!try_engine(&try))
        return;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
    if (CHECK(pthread_create(&thread, &attributes, in_a_small_thread, &try) == 0))
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    try_end(&try);
}

typedef struct Share {
    tn_program *program;
    int number, wrong;
} Share;

static void *run_shared(void *argument)
{
    Share *share = argument;
    char input[40], wanted[40];

    (void)snprintf(input, sizeof input, "{\"me\": %d}", share->number);
    (void)snprintf(wanted, sizeof wanted, "%d", share->number * 1000);
    for (int i = 0; i < 200; i++) {
        tn_run_options options = TN_INIT(tn_run_options);
        Try try = {0};
        tn_writer *writer = NULL;
        options.input = try_input(&writer, input);
        if (!CHECK(tn_run_program(share->program, &options, &try.outcome) == TN_OK) ||
            strcmp(try_json(&try), wanted) != 0)
            share->wrong++;
        try_clear(&try);
        tn_writer_free(writer);
    }
    return NULL;
}

/* One program, many threads at the same time. */
static void one_program_many_threads(void)
{
    Try try = {0};
    pthread_t threads[8];
    Share shares[8];

    if (!try_program(&try, "let sum = 0; globalThis.mine = me; for (let i = 0; i < 1000; i++) "
                           "sum += mine; sum"))
        return;
    for (int i = 0; i < 8; i++) {
        shares[i] = (Share){try.program, i, 0};
        CHECK(pthread_create(&threads[i], NULL, run_shared, &shares[i]) == 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        CHECK(shares[i].wrong == 0);
    }
    try_end(&try);
}

static void *compile_and_run(void *engine)
{
    for (int i = 0; i < 50; i++) {
        tn_program *program = NULL;
        Try try = {0};
        char text[40];
        (void)snprintf(text, sizeof text, "%d + %d", i, i);
        if (CHECK(tn_program_new(engine, text, strlen(text), NULL, &program) == TN_OK) &&
            CHECK(tn_run_program(program, NULL, &try.outcome) == TN_OK))
            CHECK(atoi(try_json(&try)) == 2 * i);
        tn_program_free(program);
        try_clear(&try);
    }
    return NULL;
}

/* The image is made by whichever comes first. */
static void first_programs_at_once(void)
{
    pthread_t threads[8];
    Try try = {0};

    if (!try_engine(&try))
        return;
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, compile_and_run, try.engine) == 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    try_end(&try);
}

/* ---- engines ---- */

static void mine(void *user, tn_call *call)
{
    tn_put_string(tn_call_result(call), user);
}

static void several_engines(void)
{
    static char names[3][4] = {"one", "two", "six"};
    Try tries[3] = {{.bounds = TN_BOUNDS_GUARD}, {.bounds = TN_BOUNDS_CHECKED}, {0}};
    char wanted[32];

    for (int i = 0; i < 3; i++) {
        if (CHECK(tn_engine_new(NULL, &tries[i].engine) == TN_OK))
            CHECK(tn_engine_add_function(tries[i].engine, "h.mine", mine, names[i],
                                         TN_FUNCTION_SYNC) == TN_OK);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++) {
            (void)snprintf(wanted, sizeof wanted, "[\"%s\",0]", names[i]);
            CHECK(try_gives(&tries[i],
                            "const n = Object.keys(globalThis).includes('left'); "
                            "globalThis.left = 1; [h.mine(), +n]",
                            wanted));
        }
    }
    /* in another order than they were made */
    try_end(&tries[1]);
    stop_some(&tries[0]);
    try_end(&tries[0]);
    stop_some(&tries[2]);
    try_end(&tries[2]);
}

static void engines_come_and_go(void)
{
    for (int i = 0; i < 20; i++) {
        Try try = {.bounds = i % 2 ? TN_BOUNDS_GUARD : TN_BOUNDS_CHECKED};
        CHECK(try_gives(&try, "1 + 1", "2"));
        try_end(&try);
    }
}

/* ---- fork ---- */

static void in_the_child(Try *try)
{
    check_wrong_ = 0;
    stop_some(try);
    try_end(try);
    Try fresh = {0};
    stop_some(&fresh);
    try_end(&fresh);
    _exit(check_wrong_ ? 1 : 0);
}

static void after_a_fork(void)
{
    Try try = {0};
    int status = -1;
    pid_t child;

    stop_some(&try);
    (void)fflush(NULL);
    child = fork();
    if (child == 0)
        in_the_child(&try);
    if (CHECK(child > 0)) {
        stop_some(&try);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK_SAY(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child's status is %x",
                  (unsigned)status);
    }
    stop_some(&try);
    try_end(&try);
}

/* In the middle of a run: what the host function starts has runs of its own. */
static void fork_inside(void *user, tn_call *call)
{
    Try fresh = {0};
    int status = -1;
    pid_t child;
    (void)user;

    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        check_wrong_ = 0;
        stop_some(&fresh);
        _exit(check_wrong_ ? 1 : 0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    tn_put_int(tn_call_result(call), WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

static void add_fork(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.fork", fork_inside, NULL, TN_FUNCTION_SYNC) == TN_OK);
}

static void a_fork_in_a_host_function(void)
{
    Try try = {.setup = add_fork};

    CHECK(try_gives(&try, "h.fork()", "0"));
    stop_some(&try);
    try_end(&try);
}

int main(int argc, char **argv)
{
    return RUN(
        argc, argv, {"handlers before ours", handlers_before_ours},
        {"checked takes no fault handler", checked_takes_no_fault_handler},
        {"handlers in between", handlers_in_between}, {"no timer", no_timer},
        {"a fault in a host function", a_fault_in_a_host_function},
        {"another signal", another_signal}, {"blocked signal", blocked_signal},
        {"own alternate stack", own_alternate_stack},
        {"interrupted calls go on", interrupted_calls_go_on}, {"a small thread", a_small_thread},
        {"one program, many threads", one_program_many_threads},
        {"first programs at once", first_programs_at_once}, {"several engines", several_engines},
        {"engines come and go", engines_come_and_go}, {"after a fork", after_a_fork},
        {"a fork in a host function", a_fork_in_a_host_function});
}
