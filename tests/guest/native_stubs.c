/* What the patched engine asks of the guest around it, for programs that have the engine without
 * the guest. Weak: a test that minds has its own. */
#include <stdbool.h>
#include <time.h>

#include "quickjs.h"

bool __attribute__((weak)) guest_stack_low(void);
bool __attribute__((weak)) guest_stack_low(void)
{
    return false;
}

/* The machine's stack is the only one here, and the engine measures that by itself. */
uint32_t __attribute__((weak)) host_headroom(void);
uint32_t __attribute__((weak)) host_headroom(void)
{
    return UINT32_MAX;
}

int __attribute__((weak)) guest_zone_offset(double time_ms, int is_local);
int __attribute__((weak)) guest_zone_offset(double time_ms, int is_local)
{
    (void)time_ms;
    (void)is_local;
    return 0;
}

double __attribute__((weak)) guest_wall_ms(void);
double __attribute__((weak)) guest_wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    int64_t ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return (double)ms;
}

void __attribute__((weak)) report_handled(JSValueConst promise);
void __attribute__((weak)) report_handled(JSValueConst promise)
{
    (void)promise;
}
