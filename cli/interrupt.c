/* The thread that waits for SIGINT and SIGTERM. */
#include "interrupt.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    bool armed;  /* a signal cancels; otherwise it kills */
    tn_run *run; /* NULL: it has not started yet, or has ended */
    int signal;  /* the first one; 0: none came */
    int told[2]; /* a pipe: that it came */
    sigset_t signals;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .told = {-1, -1}};

/* End as the signal would have ended us: the shell then sees that it was one. */
static void die_of(int signal_number)
{
    sigset_t one;

    sigemptyset(&one);
    sigaddset(&one, signal_number);
    signal(signal_number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    kill(getpid(), signal_number);
    _exit(128 + signal_number);
}

static void *wait_for_signals(void *unused)
{
    (void)unused;
    for (;;) {
        int signal_number = 0;
        if (sigwait(&watch.signals, &signal_number) != 0)
            continue;
        pthread_mutex_lock(&watch.lock);
        bool cancel = watch.armed && watch.signal == 0;
        if (cancel)
            watch.signal = signal_number;
        if (cancel && watch.run != NULL)
            tn_run_cancel(watch.run);
        if (cancel && watch.told[1] >= 0 && write(watch.told[1], "!", 1) != 1)
            cancel = false; /* nobody would notice: kill */
        pthread_mutex_unlock(&watch.lock);
        if (!cancel)
            die_of(signal_number);
    }
    return NULL;
}

void interrupt_begin(void)
{
    struct sigaction before;
    pthread_t thread;
    sigset_t mask;

    watch.armed = true;
    if (pipe2(watch.told, O_CLOEXEC) != 0)
        watch.told[0] = watch.told[1] = -1;
    sigemptyset(&watch.signals);
    /* nohup and `&` in a script ignore SIGINT: leave it so. */
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaddset(&watch.signals, SIGINT);
    if (sigaction(SIGTERM, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaddset(&watch.signals, SIGTERM);
    if (pthread_sigmask(SIG_BLOCK, &watch.signals, &mask) != 0)
        return;
    if (pthread_create(&thread, NULL, wait_for_signals, NULL) != 0)
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
    else
        pthread_detach(thread);
}

void interrupt_watch(tn_run *run)
{
    pthread_mutex_lock(&watch.lock);
    watch.run = run;
    watch.armed = run != NULL;
    if (run != NULL && watch.signal != 0)
        tn_run_cancel(run);
    pthread_mutex_unlock(&watch.lock);
}

int interrupt_descriptor(void)
{
    return watch.told[0];
}

int interrupt_signal(void)
{
    pthread_mutex_lock(&watch.lock);
    int signal_number = watch.signal;
    pthread_mutex_unlock(&watch.lock);
    return signal_number;
}
