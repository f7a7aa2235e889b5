#include "watch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "slot.h"
#include "switch.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#if defined(__SANITIZE_ADDRESS__)
#define WATCH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCH_ASAN 1
#endif
#endif
#ifdef WATCH_ASAN
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **old_bottom,
                                     size_t *old_size);
#endif
/* Not instrumented: when such a function says that a stack is being left, AddressSanitizer gives up
 * the frame it would keep for the function itself; and before a jump away it would look for a stack
 * it does not know. */
#define WATCH_PLAIN __attribute__((no_sanitize_address))

/* What a handler must find for its thread. Initial-exec, so that reading it never allocates. */
typedef struct Thread {
    Entry *volatile active;
    timer_t timer;
    int signal; /* the timer's; 0: no timer yet */
    volatile bool armed;
    volatile uint64_t next_tick_ns;
    uint32_t fork_count;    /* timers do not survive a fork */
    void *alternate;        /* our alternate signal stack, if the thread had none */
    void *volatile chained; /* the context of the signal being passed on */
    volatile uintptr_t chained_frame;
} Thread;

static __thread Thread thread __attribute__((tls_model("initial-exec")));

enum { ALTERNATE_BYTES = 64 * 1024 };

/* Signal handlers belong to the process; this is the one place with state of its own. */
static struct {
    pthread_mutex_t lock;
    int users[NSIG];
    struct sigaction before[NSIG]; /* whoever had it last */
    struct sigaction first[NSIG];  /* and before all of that */
    bool taken[NSIG],
        retaken[NSIG]; /* somebody else's handler came on top of ours, and ours on it */
    pthread_key_t key;
    bool has_key;
    volatile uint32_t fork_count;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint64_t watch_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t cpu_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- in the handlers: only async-signal-safe calls ---- */

static void pass_on(const struct sigaction *before, int signal, siginfo_t *info, void *context)
{
    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(signal, info, context);
    } else if (before->sa_handler == SIG_DFL ||
               (before->sa_handler == SIG_IGN && info->si_code > 0 &&
                (signal == SIGSEGV || signal == SIGBUS))) {
        /* as if we were not here: the default action, at the same instruction */
        struct sigaction plain = {.sa_handler = SIG_DFL};
        sigaction(signal, &plain, NULL);
        if (info->si_code <= 0)
            raise(signal);
    } else if (before->sa_handler != SIG_IGN) {
        before->sa_handler(signal);
    }
}

/* A handler that came between may itself pass the signal on to us: then it goes to whom we found
 * first, not round and round. Its call comes from deeper in the stack, with the same context; that
 * of a signal whose handler jumped away has the context at most. */
static void chain(int signal, siginfo_t *info, void *context)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    bool again =
        process.retaken[signal] && thread.chained == context && frame < thread.chained_frame;

    thread.chained = context;
    thread.chained_frame = frame;
    pass_on(again ? &process.first[signal] : &process.before[signal], signal, info, context);
    thread.chained = NULL;
}

/* The guest's stack is being left for good: AddressSanitizer keeps account of stacks. */
WATCH_PLAIN static void note_leaving(Entry *entry)
{
#ifdef WATCH_ASAN
    __sanitizer_start_switch_fiber(NULL, entry->host_bottom, entry->host_size);
#else
    (void)entry;
#endif
}

/* Let the interrupted thread go on at the landing, on the host's stack. The kernel restores the
 * signal mask when this handler returns. */
WATCH_PLAIN static void abandon(Entry *entry, void *context)
{
    ucontext_t *u = context;

    entry->in_guest = false;
    note_leaving(entry);
    u->uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)entry->host_sp;
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)switch_landing;
}

static bool on_guest_stack(const Entry *entry, const void *context)
{
    const ucontext_t *u = context;
    uintptr_t sp = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];

    return sp >= (uintptr_t)entry->slot->stack_map && sp <= (uintptr_t)entry->slot->stack_top;
}

void watch_ask(Entry *entry, StopReason reason)
{
    if (entry->stop != STOP_NONE)
        return;
    entry->stop_ns = watch_now_ns();
    entry->stop = reason;
    if (entry->stop_flag) {
        *entry->stop_flag = 1;
        slot_mark(entry->slot,
                  (uint32_t)((uint8_t *)(uintptr_t)entry->stop_flag - entry->slot->base), 4);
    }
}

/* CPU time inside since the entry. The clock costs a system call, so it is first read at a tick;
 * until then the time on the wall bounds it. */
static uint64_t cpu_inside_ns(Entry *entry, uint64_t now_ns)
{
    uint64_t cpu_ns = cpu_now_ns();

    entry->cpu_seen_ns = cpu_ns;
    entry->cpu_seen_at_ns = now_ns;
    if (entry->cpu_base_ns == 0) {
        uint64_t inside = now_ns - entry->enter_ns - entry->host_ns;
        entry->cpu_base_ns = cpu_ns > inside ? cpu_ns - inside : 1;
    }
    cpu_ns -= entry->cpu_base_ns;
    return cpu_ns > entry->host_cpu_ns ? cpu_ns - entry->host_cpu_ns : 0;
}

static void look_at_clocks(Entry *entry, uint64_t now_ns)
{
    if (entry->cancel && *entry->cancel)
        watch_ask(entry, STOP_CANCEL);
    if (entry->wall_deadline_ns && now_ns >= entry->wall_deadline_ns)
        watch_ask(entry, STOP_WALL);
    if (entry->cpu_left_ns && entry->in_guest && cpu_inside_ns(entry, now_ns) >= entry->cpu_left_ns)
        watch_ask(entry, STOP_CPU);
}

static void disarm(void)
{
    struct itimerspec never = {0};

    timer_settime(thread.timer, 0, &never, NULL);
    thread.armed = false;
}

WATCH_PLAIN static void on_tick(int signal, siginfo_t *info, void *context)
{
    Entry *entry = thread.active;
    int kept_errno = errno;

    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &thread) {
        chain(signal, info, context);
        return;
    }
    if (!entry) {
        disarm();
    } else {
        uint64_t now_ns = watch_now_ns();
        thread.next_tick_ns = now_ns + WATCH_TICK_MS * 1000000u;
        look_at_clocks(entry, now_ns);
        uint64_t grace_ms = entry->grace_ms ? entry->grace_ms : WATCH_GRACE_MS;
        if (entry->stop != STOP_NONE && now_ns >= entry->stop_ns + grace_ms * 1000000u) {
            if (!entry->in_guest)
                entry->due = true;
            else if (on_guest_stack(entry, context))
                abandon(entry, context);
            /* else a handler of the host's runs on top: the next tick asks again */
        }
    }
    errno = kept_errno;
}

WATCH_PLAIN static void on_fault(int signal, siginfo_t *info, void *context)
{
    Entry *entry = thread.active;

    if (entry && entry->in_guest && info->si_code > 0 &&
        slot_owns(entry->slot, (uintptr_t)info->si_addr)) {
        entry->trap = 1;
        abandon(entry, context);
        return;
    }
    chain(signal, info, context);
}

/* ---- the process's side ---- */

static void thread_end(void *unused)
{
    (void)unused;
    if (thread.signal && thread.fork_count == process.fork_count)
        timer_delete(thread.timer);
    thread.signal = 0;
    thread.armed = false;
    if (thread.alternate) {
        stack_t none = {.ss_flags = SS_DISABLE}, now;
        /* the host may have put another in its place since */
        if (sigaltstack(NULL, &now) == 0 && now.ss_sp == thread.alternate)
            sigaltstack(&none, NULL);
        munmap(thread.alternate, ALTERNATE_BYTES);
        thread.alternate = NULL;
    }
}

static void forked(void)
{
    process.fork_count++;
}

int watch_default_signal(void)
{
    return SIGRTMIN + 6;
}

static bool take_signal(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction ours = {.sa_sigaction = handler,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};

    struct sigaction now;

    sigemptyset(&ours.sa_mask);
    if (sigaction(signal, NULL, &now) != 0)
        return false;
    /* Ours already, or ours from an earlier engine: what was before it is still known. */
    bool is_ours = (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler;
    if (!is_ours) {
        if (!process.taken[signal])
            process.first[signal] = now;
        process.retaken[signal] = process.taken[signal];
        process.taken[signal] = true;
        process.before[signal] = now;
        if (sigaction(signal, &ours, NULL) != 0)
            return false;
    }
    process.users[signal]++;
    return true;
}

static void give_signal(int signal)
{
    struct sigaction now;

    if (--process.users[signal] == 0 && sigaction(signal, NULL, &now) == 0 &&
        (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault &&
        sigaction(signal, &process.before[signal], NULL) == 0)
        process.taken[signal] = process.retaken[signal] = false;
}

tn_status watch_start(int signal, bool guard)
{
    tn_status status = TN_ERR_UNAVAILABLE;

    if (signal < SIGRTMIN || signal > SIGRTMAX)
        return TN_ERR_ARGUMENT;
    pthread_mutex_lock(&process.lock);
    if (!process.has_key && pthread_key_create(&process.key, thread_end) == 0) {
        process.has_key = true;
        pthread_atfork(NULL, NULL, forked);
    }
    if (process.has_key && take_signal(signal, on_tick)) {
        status = TN_OK;
        if (guard && (!take_signal(SIGSEGV, on_fault) || !take_signal(SIGBUS, on_fault)))
            status = TN_ERR_UNAVAILABLE;
    }
    pthread_mutex_unlock(&process.lock);
    return status;
}

/* The tick's handler stays: a timer of another thread may have a last tick on its way, whose
 * default action would end the process. The fault handlers go back to who had them before. */
void watch_stop(int signal, bool guard)
{
    pthread_mutex_lock(&process.lock);
    process.users[signal]--;
    if (guard) {
        give_signal(SIGSEGV);
        give_signal(SIGBUS);
    }
    pthread_mutex_unlock(&process.lock);
}

/* ---- a thread's side ---- */

static void prepare_alternate_stack(void)
{
    stack_t now;

    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return;
    void *stack =
        mmap(NULL, ALTERNATE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return;
    stack_t ours = {.ss_sp = stack, .ss_size = ALTERNATE_BYTES};
    if (sigaltstack(&ours, NULL) == 0)
        thread.alternate = stack;
    else
        munmap(stack, ALTERNATE_BYTES);
}

static bool prepare_thread(int signal)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal};

    if (thread.signal && thread.fork_count != process.fork_count) {
        thread.signal = 0;
        thread.armed = false;
    }
    if (thread.signal == signal)
        return true;
    if (thread.signal)
        timer_delete(thread.timer);
    else
        prepare_alternate_stack();
    event.sigev_value.sival_ptr = &thread;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    thread.signal = 0;
    thread.armed = false;
    if (timer_create(CLOCK_MONOTONIC, &event, &thread.timer) != 0)
        return false;
    thread.signal = signal;
    thread.fork_count = process.fork_count;
    pthread_setspecific(process.key, &thread);
    return true;
}

static void arm(const Entry *entry)
{
    uint64_t tick_ns = WATCH_TICK_MS * 1000000u, first_ns = tick_ns;
    uint64_t now_ns = watch_now_ns();

    if (entry->wall_deadline_ns) {
        uint64_t left = entry->wall_deadline_ns > now_ns ? entry->wall_deadline_ns - now_ns : 1;
        if (left < first_ns)
            first_ns = left;
    }
    if (entry->cpu_left_ns && entry->cpu_left_ns < first_ns)
        first_ns = entry->cpu_left_ns;
    if (thread.armed && thread.next_tick_ns <= now_ns + first_ns)
        return;
    struct itimerspec when = {.it_interval.tv_nsec = (long)tick_ns,
                              .it_value.tv_nsec = (long)(first_ns ? first_ns : 1)};
    timer_settime(thread.timer, 0, &when, NULL);
    thread.next_tick_ns = now_ns + first_ns;
    thread.armed = true;
}

typedef struct Inside {
    Entry *entry;
    void (*run)(void *);
    void *argument;
} Inside;

/* First on the guest's stack: only from here on may a handler end the stay. */
static void inside(void *argument)
{
    Inside *in = argument;

#ifdef WATCH_ASAN
    __sanitizer_finish_switch_fiber(NULL, &in->entry->host_bottom, &in->entry->host_size);
#endif
    watch_resume(in->entry);
    in->run(in->argument);
    watch_pause(in->entry);
#ifdef WATCH_ASAN
    __sanitizer_start_switch_fiber(NULL, in->entry->host_bottom, in->entry->host_size);
#endif
}

static void count_cpu(Entry *entry)
{
    uint64_t now_ns = watch_now_ns();

    entry->cpu_used_ns = entry->cpu_base_ns ? cpu_inside_ns(entry, now_ns)
                                            : now_ns - entry->enter_ns - entry->host_ns;
}

EnterResult watch_enter(Entry *entry, void (*run)(void *), void *argument)
{
    Inside in = {.entry = entry, .run = run, .argument = argument};
    sigset_t ours, before;
    int left;

    if (!prepare_thread(entry->signal))
        return ENTER_NO_TIMER;
    entry->outer = thread.active;
    if (entry->outer && entry->outer->wall_deadline_ns &&
        (!entry->wall_deadline_ns || entry->outer->wall_deadline_ns < entry->wall_deadline_ns))
        entry->wall_deadline_ns = entry->outer->wall_deadline_ns;
    entry->slot->host.entry = entry;
    entry->enter_ns = watch_now_ns();
    thread.active = entry;
    arm(entry);
    sigemptyset(&ours);
    sigaddset(&ours, entry->signal);
    if (entry->slot->code == &engine_guard) {
        sigaddset(&ours, SIGSEGV);
        sigaddset(&ours, SIGBUS);
    }
    pthread_sigmask(SIG_UNBLOCK, &ours, &before);
#ifdef WATCH_ASAN
    void *fake = NULL;
    __sanitizer_start_switch_fiber(&fake, entry->slot->stack_map + SLOT_STACK_GUARD,
                                   SLOT_STACK_BYTES);
#endif
    left = switch_enter(&entry->host_sp, entry->slot->stack_top, inside, &in);
#ifdef WATCH_ASAN
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
    entry->in_guest = false;
    thread.active = entry->outer;
    entry->slot->host.entry = NULL;
    if (sigismember(&before, entry->signal) || sigismember(&before, SIGSEGV) ||
        sigismember(&before, SIGBUS))
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    count_cpu(entry);
    /* an inner run with another signal took this thread's timer: the outer one needs it again */
    if (entry->outer && thread.signal != entry->outer->signal &&
        prepare_thread(entry->outer->signal))
        arm(entry->outer);
    if (!left)
        return ENTER_RETURNED;
    return entry->trap ? ENTER_TRAPPED : ENTER_ABANDONED;
}

/* ---- the large stack, for host code ---- */

typedef struct Borrowed {
    void (*run)(void *);
    void *argument;
    const void *host_bottom; /* for AddressSanitizer */
    size_t host_size;
} Borrowed;

static void borrowed(void *argument)
{
    Borrowed *call = argument;

#ifdef WATCH_ASAN
    __sanitizer_finish_switch_fiber(NULL, &call->host_bottom, &call->host_size);
#endif
    call->run(call->argument);
#ifdef WATCH_ASAN
    __sanitizer_start_switch_fiber(NULL, call->host_bottom, call->host_size);
#endif
}

void watch_on_stack(Slot *slot, void (*run)(void *), void *argument)
{
    Borrowed call = {.run = run, .argument = argument};
    void *host_sp;

#ifdef WATCH_ASAN
    void *fake = NULL;
    __sanitizer_start_switch_fiber(&fake, slot->stack_map + SLOT_STACK_GUARD, SLOT_STACK_BYTES);
#endif
    (void)switch_enter(&host_sp, slot->stack_top, borrowed, &call);
#ifdef WATCH_ASAN
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
}

/* ---- from guest code ---- */

void watch_pause(Entry *entry)
{
    if (entry)
        entry->in_guest = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

WATCH_PLAIN void watch_resume(Entry *entry)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!entry)
        return;
    entry->in_guest = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    /* A tick before that line left a note; one after it has done the work itself. */
    if (entry->due) {
        entry->in_guest = false;
        note_leaving(entry);
        switch_leave(entry->host_sp);
    }
}

/* CPU time of the thread when this host call began, if nobody read the clock then: no more than
 * this, so what is counted as the program's is rather too much than too little. */
static uint64_t cpu_at_most(const Entry *entry, uint64_t at_ns)
{
    return entry->cpu_seen_ns + (at_ns - entry->cpu_seen_at_ns);
}

/* What a host call takes of the CPU is not the program's. The thread's clock costs a system call,
 * as much as a whole small call: so a call is taken to be as short as the one before it was, and of
 * a short one all its time is counted. After a long one it is seen what the program has used: where
 * nearly all time is the host's, hardly a tick finds the program at work. */
static void count_host_call(Entry *entry, uint64_t start_ns, uint64_t start_cpu_ns, uint64_t now_ns)
{
    enum { SHORT_NS = 50 * 1000 };
    uint64_t took_ns = now_ns - start_ns, cpu_ns;

    entry->host_ns += took_ns;
    entry->host_is_slow = took_ns >= SHORT_NS;
    if (took_ns < SHORT_NS) {
        if (entry->cpu_base_ns)
            entry->host_cpu_ns += took_ns;
        return;
    }
    if (entry->cpu_base_ns) {
        cpu_ns = cpu_now_ns();
        if (!start_cpu_ns)
            start_cpu_ns = cpu_at_most(entry, start_ns);
        if (cpu_ns > start_cpu_ns)
            entry->host_cpu_ns += cpu_ns - start_cpu_ns;
    }
    cpu_ns = cpu_inside_ns(entry, now_ns);
    if (entry->cpu_left_ns && cpu_ns >= entry->cpu_left_ns)
        watch_ask(entry, STOP_CPU);
}

void watch_host_call(Entry *entry, void (*run)(void *), void *argument)
{
    uint64_t cpu_ns = 0, start_ns = watch_now_ns();

    watch_pause(entry);
    if (entry->cpu_base_ns && entry->host_is_slow)
        cpu_ns = cpu_now_ns();
    switch_call(entry->host_sp, run, argument);
    /* in a forked child there is no timer: it needs one of its own */
    if (thread.fork_count != process.fork_count && prepare_thread(entry->signal))
        arm(entry);
    uint64_t now_ns = watch_now_ns();
    count_host_call(entry, start_ns, cpu_ns, now_ns);
    /* the deadline may have passed while the host was at work: no need to wait for a tick */
    if (entry->wall_deadline_ns && now_ns >= entry->wall_deadline_ns)
        watch_ask(entry, STOP_WALL);
    watch_resume(entry);
}

WATCH_PLAIN _Noreturn void watch_trap(Entry *entry, int code)
{
    watch_pause(entry);
    entry->trap = code ? code : 1;
    note_leaving(entry);
    switch_leave(entry->host_sp);
}

/* What wasm2c's code calls when it finds a trap itself. */
_Noreturn void engine_trap(int code);
_Noreturn void engine_trap(int code)
{
    watch_trap(thread.active, 100 + code);
}
