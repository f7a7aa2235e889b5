/* What the patched engine asks of the guest around it, for programs that have the engine without
 * the guest. Weak: a test that minds has its own. */
#include <stdbool.h>

#include "quickjs.h"

bool __attribute__((weak)) guest_stack_low(void);
bool __attribute__((weak)) guest_stack_low(void)
{
    return false;
}

int __attribute__((weak)) guest_zone_offset(double time_ms, int is_local);
int __attribute__((weak)) guest_zone_offset(double time_ms, int is_local)
{
    (void)time_ms;
    (void)is_local;
    return 0;
}

void __attribute__((weak)) report_handled(JSValueConst promise);
void __attribute__((weak)) report_handled(JSValueConst promise)
{
    (void)promise;
}
