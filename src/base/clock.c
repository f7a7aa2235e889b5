#include "clock.h"

#include <time.h>

static struct timespec read_clock(clockid_t clock)
{
    struct timespec now = {0};

    /* Cannot fail: Linux has all three, and the address is ours. */
    (void)clock_gettime(clock, &now);
    return now;
}

static double milliseconds(struct timespec time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

double clock_monotonic_ms(void)
{
    return milliseconds(read_clock(CLOCK_MONOTONIC));
}

uint64_t clock_monotonic_ns(void)
{
    struct timespec now = read_clock(CLOCK_MONOTONIC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double clock_wall_ms(void)
{
    return milliseconds(read_clock(CLOCK_REALTIME));
}

double clock_thread_cpu_ms(void)
{
    return milliseconds(read_clock(CLOCK_THREAD_CPUTIME_ID));
}
