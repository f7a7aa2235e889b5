#include "wake.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"

Wake *wake_new(const tn_allocator *allocator)
{
    Wake *wake = memory_new(allocator, sizeof *wake);
    pthread_condattr_t clock;

    if (!wake)
        return NULL;
    *wake = (Wake){.allocator = *allocator, .references = 1, .event = -1, .timer = -1, .poll = -1};
    pthread_mutex_init(&wake->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&wake->changed, &clock);
    pthread_condattr_destroy(&clock);
    return wake;
}

Wake *wake_ref(Wake *wake)
{
    pthread_mutex_lock(&wake->lock);
    wake->references++;
    pthread_mutex_unlock(&wake->lock);
    return wake;
}

static void close_one(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}

void wake_unref(Wake *wake)
{
    tn_allocator allocator;
    unsigned left;

    if (!wake)
        return;
    pthread_mutex_lock(&wake->lock);
    left = --wake->references;
    pthread_mutex_unlock(&wake->lock);
    if (left > 0)
        return;
    close_one(wake->poll);
    close_one(wake->event);
    close_one(wake->timer);
    pthread_cond_destroy(&wake->changed);
    pthread_mutex_destroy(&wake->lock);
    allocator = wake->allocator;
    memory_free(&allocator, wake, sizeof *wake);
}

void wake_signal_locked(Wake *wake)
{
    uint64_t one = 1;

    if (!wake->signaled && wake->event >= 0 && write(wake->event, &one, sizeof one) < 0) {
        /* the counter is at its top: it is readable already */
    }
    wake->signaled = true;
    pthread_cond_broadcast(&wake->changed);
}

void wake_signal(Wake *wake)
{
    pthread_mutex_lock(&wake->lock);
    wake_signal_locked(wake);
    pthread_mutex_unlock(&wake->lock);
}

static void clear_locked(Wake *wake)
{
    uint64_t count;

    if (wake->signaled && wake->event >= 0 && read(wake->event, &count, sizeof count) < 0) {
        /* nothing was in it */
    }
    wake->signaled = false;
}

void wake_clear(Wake *wake)
{
    pthread_mutex_lock(&wake->lock);
    clear_locked(wake);
    pthread_mutex_unlock(&wake->lock);
}

void wake_wait(Wake *wake, uint64_t deadline_ns)
{
    struct timespec until = {.tv_sec = (time_t)(deadline_ns / 1000000000u),
                             .tv_nsec = (long)(deadline_ns % 1000000000u)};
    int late = 0;

    pthread_mutex_lock(&wake->lock);
    while (!wake->signaled && late == 0) {
        if (deadline_ns == UINT64_MAX)
            pthread_cond_wait(&wake->changed, &wake->lock);
        else
            late = pthread_cond_timedwait(&wake->changed, &wake->lock, &until);
    }
    pthread_mutex_unlock(&wake->lock);
}

static bool watch_one(int poll, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN};

    return descriptor >= 0 && epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

int wake_descriptor(Wake *wake)
{
    pthread_mutex_lock(&wake->lock);
    if (wake->poll < 0) {
        wake->poll = epoll_create1(EPOLL_CLOEXEC);
        wake->event = eventfd(wake->signaled ? 1 : 0, EFD_CLOEXEC | EFD_NONBLOCK);
        wake->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
        if (wake->poll < 0 || !watch_one(wake->poll, wake->event) ||
            !watch_one(wake->poll, wake->timer)) {
            close_one(wake->poll);
            close_one(wake->event);
            close_one(wake->timer);
            wake->poll = wake->event = wake->timer = -1;
        }
    }
    pthread_mutex_unlock(&wake->lock);
    return wake->poll;
}

void wake_set_time(Wake *wake, uint64_t deadline_ns)
{
    struct itimerspec when = {0};

    if (wake->timer < 0)
        return;
    if (deadline_ns != UINT64_MAX) {
        when.it_value.tv_sec = (time_t)(deadline_ns / 1000000000u);
        when.it_value.tv_nsec = (long)(deadline_ns % 1000000000u);
        if (deadline_ns == 0)
            when.it_value.tv_nsec = 1;
    }
    timerfd_settime(wake->timer, TFD_TIMER_ABSTIME, &when, NULL);
}
